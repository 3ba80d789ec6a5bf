import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { migrate } from '#db/migrations/migrate'
import { withClient } from '#db/postgres/connection/pool'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { DATA_DIR } from '#runtime/process/root'
import { buildRoles } from '#scripts/build/build-roles'
import { databaseAt, ensureDatabase } from '#scripts/embedded/create-database'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { type EmbeddedServers, startEmbedded } from '#scripts/embedded/servers'
import type { TestServers } from '#scripts/testing/db/database'
import { memoryFolder } from './memory-folder.ts'
import { removeLeftovers, runDataDir } from './stale-runs.ts'

interface Running {
  servers: TestServers
  stop(): Promise<void>
}

/** Each project has its own copy of this module; the servers are shared through globalThis. */
const run = globalThis as { testServersOfRun?: Promise<Running>; testServersUsers?: number }

async function start(): Promise<Running> {
  const { DATABASE_URL, REDIS_URL } = process.env
  const memory = memoryFolder()
  if (memory) await removeLeftovers(memory, 'test')
  await removeLeftovers(DATA_DIR, 'test')
  const dataDir = runDataDir(memory ?? DATA_DIR, 'test')
  const wanted = { postgres: !DATABASE_URL, valkey: !REDIS_URL }
  const starting: Promise<EmbeddedServers | undefined> =
    wanted.postgres || wanted.valkey
      ? startEmbedded({ dataDir, durable: false, wanted, log: console.error })
      : Promise.resolve(undefined)
  const [embedded] = await Promise.all([starting, buildRoles()])
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

/** Starts Postgres and Valkey once for the run, with a migrated template database. */
export async function setup(project: TestProject) {
  run.testServersOfRun ??= start()
  run.testServersUsers = (run.testServersUsers ?? 0) + 1
  project.provide('testServers', (await run.testServersOfRun).servers)
}

/** Stops the servers after the last project. */
export async function teardown() {
  run.testServersUsers = (run.testServersUsers ?? 0) - 1
  if (run.testServersUsers > 0) return
  const running = await run.testServersOfRun
  run.testServersOfRun = undefined
  await running?.stop()
}
