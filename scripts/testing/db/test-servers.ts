import type { Secrets } from '#runtime/config/config'

/** What the global set-up of a test run provides to each test file. */
export interface TestServers {
  /** URL of a server on which tests may create databases. */
  databaseUrl: string
  /** URLs of the other nodes of Citus, on which each database exists too. */
  otherNodes?: string[]
  /** Name of the migrated database that test databases are copied from. */
  template: string
  redisUrl: string
  /** True when Redis is not embedded, so that each test must remove its keys. */
  sharedRedis: boolean
  secrets: Secrets
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServers: TestServers
  }
}
