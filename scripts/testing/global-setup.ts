import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { migrate } from '#db/migrate'
import { databaseAt, ensureDatabase, withClient } from '#scripts/embedded/ensure-database'
import { removeDataDir } from '#scripts/embedded/postgres-home'
import { type EmbeddedServers, startEmbedded } from '#scripts/embedded/servers'
import { DATA_DIR } from '#scripts/root'
import { developmentSecrets, type Secrets } from '#scripts/secrets'
import { removeLeftovers, testDataDir } from '#scripts/testing/leftovers'

/** What the set-up hands to the test files. */
export interface TestServers {
  /** A server on which the tests may create databases. */
  databaseUrl: string
  /** The migrated database that each test database is a copy of. */
  template: string
  redisUrl: string
  /** Whether Redis is somebody else's, so that each test has to remove its keys. */
  sharedRedis: boolean
  secrets: Secrets
}

declare module 'vitest' {
  export interface ProvidedContext {
    testServers: TestServers
  }
}

interface Running {
  servers: TestServers
  stop(): Promise<void>
}

/** Each project of the run has a copy of this module, but they share the servers. */
const run = globalThis as { testServersOfRun?: Promise<Running>; testServersUsers?: number }

async function start(): Promise<Running> {
  const { DATABASE_URL, REDIS_URL } = process.env
  await removeLeftovers(DATA_DIR)
  const dataDir = testDataDir(DATA_DIR)
  const wanted = { postgres: !DATABASE_URL, valkey: !REDIS_URL }
  const embedded: EmbeddedServers | undefined =
    wanted.postgres || wanted.valkey
      ? await startEmbedded({ dataDir, durable: false, wanted, log: console.error })
      : undefined
  const databaseUrl = DATABASE_URL || (embedded?.databaseUrl ?? '')
  const template = `tesp_template_${randomBytes(5).toString('hex')}`
  await migrate(await ensureDatabase(databaseUrl, template))
  return {
    servers: {
      databaseUrl,
      template,
      redisUrl: REDIS_URL || (embedded?.redisUrl ?? ''),
      sharedRedis: Boolean(REDIS_URL),
      secrets: developmentSecrets(DATA_DIR),
    },
    stop: async () => {
      if (DATABASE_URL) {
        await withClient(databaseAt(databaseUrl, 'postgres'), (client) =>
          client.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`),
        )
      }
      await embedded?.stop()
      if (embedded) removeDataDir(dataDir)
    },
  }
}

/** Starts Postgres and Valkey once for the run, with one migrated database to copy. */
export async function setup(project: TestProject) {
  run.testServersOfRun ??= start()
  run.testServersUsers = (run.testServersUsers ?? 0) + 1
  project.provide('testServers', (await run.testServersOfRun).servers)
}

/** Stops them after the last project. */
export async function teardown() {
  run.testServersUsers = (run.testServersUsers ?? 0) - 1
  if (run.testServersUsers > 0) return
  const running = await run.testServersOfRun
  run.testServersOfRun = undefined
  await running?.stop()
}
