import * as react from 'react'

const INTERNALS = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'

/**
 * React captures a stack for each element, up to 10,000 a second, which only its own warnings and
 * developer tools show. That took a seventh of the CPU time of the client's tests.
 */
const internals: object = Reflect.get(react, INTERNALS)
Reflect.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  get: () => Number.POSITIVE_INFINITY,
  // React DOM resets the number each second.
  set() {},
  configurable: true,
})
