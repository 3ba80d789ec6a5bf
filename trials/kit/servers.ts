import path from 'node:path'
import { developmentSecrets, type Secrets } from '#runtime/process/development-secrets'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import type { TestDatabase } from '#scripts/testing/db/database'
import type { Trial } from './trial.ts'

/** The database and Redis of a product, and its secrets; default: those of the test run. */
export type Place = Omit<TestDatabase, 'drop'> & { secrets?: Secrets }

/** Embedded servers that end with the trial; only Valkey if the database of the product is elsewhere. */
export async function trialServers(
  { folder, defer }: Trial,
  { databaseUrl, durable = false }: { databaseUrl?: string; durable?: boolean } = {},
): Promise<Required<Place>> {
  const dataDir = path.join(folder, 'servers')
  const wanted = { postgres: databaseUrl === undefined, valkey: true }
  const servers = await startEmbedded({ dataDir, durable, wanted, log: console.error })
  defer(async () => {
    await servers.stop()
    removeDataDir(dataDir)
  })
  return {
    url: databaseUrl ?? servers.databaseUrl,
    redisUrl: servers.redisUrl,
    redisPrefix: 'trial',
    secrets: developmentSecrets(dataDir),
  }
}
