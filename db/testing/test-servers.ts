import type { Secrets } from '#db/process/config'

/** What the global set-up of a test run passes to each test file. */
export interface TestServers {
  /** A server on which the tests may create databases. */
  databaseUrl: string
  /** The migrated database that each test database is a copy of. */
  template: string
  redisUrl: string
  /** True if Redis is not embedded, so that each test has to remove its keys. */
  sharedRedis: boolean
  secrets: Secrets
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServers: TestServers
  }
}
