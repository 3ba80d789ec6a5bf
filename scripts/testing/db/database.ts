import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { inject } from 'vitest'
import type { ConnectOptions } from '#db/postgres/connection/pool'
import { withClient } from '#db/postgres/connection/pool'
import { type Config, readConfig } from '#runtime/config/config'
import type { Secrets } from '#runtime/process/development-secrets'
import { databaseAt } from '#scripts/embedded/create-database'

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

/**
 * Ends the connections of a database on a node of Citus for good, those of Citus itself too: one that is in
 * use can neither be copied nor dropped.
 */
export const endConnections = (url: string, database: string) =>
  withClient(databaseAt(url, 'postgres'), async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      database,
    ])
    if (rowCount === 0) return
    await client.query(`alter database ${database} allow_connections false`)
    await client.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
      [database],
    )
  })

/** Removes every key that begins with `prefix` or with `{prefix`, the form of a hash tag. */
export async function removeKeys(redisUrl: string, prefix: string) {
  const redis = new Redis(redisUrl)
  try {
    for (const match of [`${prefix}*`, `{${prefix}*`]) {
      for await (const keys of redis.scanStream({ match, count: 1000 })) {
        if (keys.length > 0) await redis.unlink(...keys)
      }
    }
  } finally {
    redis.disconnect()
  }
}

/** Options of a pool that tests themselves use. Its limit of a connection holds on a busy machine too. */
export const testPool = (max: number): ConnectOptions => ({
  max,
  name: 'test',
  connectTimeoutMs: 60_000,
})

/** A test file's own migrated database and Redis prefix. */
export interface TestDatabase {
  url: string
  redisUrl: string
  redisPrefix: string
  /** Closes open connections, drops the database and removes the Redis keys. */
  drop(): Promise<void>
}

/** False on Citus, where locks of rows and plans of nodes cannot be seen on the coordinator. */
export const isOneServer = (): boolean => inject('testServers').otherNodes === undefined

/** Secrets for configurations in tests. */
export const testSecrets = (): Secrets => inject('testServers').secrets

/** Settings of a silent process on a test database; `env` overrides them. */
export function testConfig(
  { url, redisUrl, redisPrefix }: Pick<TestDatabase, 'url' | 'redisUrl' | 'redisPrefix'>,
  env: Record<string, string> = {},
): Config {
  return readConfig({
    ...testSecrets(),
    DATABASE_URL: url,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: redisPrefix,
    LOG_LEVEL: 'silent',
    FAST_PASSWORDS: 'on',
    ...env,
  })
}

/**
 * Copies a database, by default the migrated one of the run, on every node of Citus. Call it in
 * `beforeAll`, and `drop` in `afterAll`.
 * @param copied name of a database without connections of this program
 */
export async function testDatabase(copied?: string): Promise<TestDatabase> {
  const { databaseUrl, otherNodes = [], redisUrl, sharedRedis } = inject('testServers')
  const name = `tesp_test_${randomBytes(6).toString('hex')}`
  const redisPrefix = `test-${randomBytes(6).toString('hex')}`
  const nodes = [databaseUrl, ...otherNodes].map((url) => databaseAt(url, 'postgres'))
  const onNodes = async (sql: string) => {
    for (const node of nodes) await withClient(node, (client) => client.query(sql))
  }
  const release = async (database: string) => {
    if (isOneServer()) return
    for (const node of nodes) await endConnections(node, database)
  }
  const template = copied ?? inject('testServers').template
  if (copied) await release(copied)
  // Copying files costs half the CPU time of the default, which writes every page to the log.
  await onNodes(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  return {
    url: databaseAt(databaseUrl, name),
    redisUrl,
    redisPrefix,
    drop: async () => {
      await release(name)
      await onNodes(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      if (sharedRedis) await removeKeys(redisUrl, redisPrefix)
    },
  }
}
