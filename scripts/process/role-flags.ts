type Role = 'gateway' | 'workers'

/**
 * Options of Node for a role. Young objects get 2 MB instead of 16 MB, where V8 leaves garbage while
 * there is room. Workers wait for Postgres, so they trade speed for memory; gateways do not.
 */
export const ROLE_FLAGS: Record<Role, string[]> = {
  gateway: ['--max-semi-space-size=2', '--v8-pool-size=1'],
  workers: ['--optimize-for-size', '--v8-pool-size=1'],
}

/** glibc otherwise keeps freed memory in up to eight arenas per core. */
export const ROLE_ENV = { MALLOC_ARENA_MAX: '2' }
