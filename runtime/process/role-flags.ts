type Role = 'gateway' | 'workers'

/** A gateway frees its start's garbage once (18 MB, `run-role.ts`). Workers wait for Postgres: memory over speed. */
export const ROLE_FLAGS: Record<Role, string[]> = {
  gateway: ['--expose-gc', '--v8-pool-size=1'],
  workers: ['--optimize-for-size', '--v8-pool-size=1'],
}

/** glibc otherwise keeps freed memory in up to eight arenas per core. */
export const ROLE_ENV = { MALLOC_ARENA_MAX: '2' }
