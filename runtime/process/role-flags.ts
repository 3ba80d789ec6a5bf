type Role = 'gateway' | 'workers'

/**
 * Options of Node for a role. A gateway frees the garbage of its start once (`run-role.ts`), 18 MB.
 * Workers wait for Postgres, so they trade speed for memory; gateways do not.
 */
export const ROLE_FLAGS: Record<Role, string[]> = {
  gateway: ['--expose-gc', '--v8-pool-size=1'],
  workers: ['--optimize-for-size', '--v8-pool-size=1'],
}

/** glibc otherwise keeps freed memory in up to eight arenas per core. */
export const ROLE_ENV = { MALLOC_ARENA_MAX: '2' }
