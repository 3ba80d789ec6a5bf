import { setTimeout as sleep } from 'node:timers/promises'
import { DATA_DIR } from '#runtime/process/root'
import { databaseAt } from '#scripts/embedded/create-database'
import { embeddedUrl } from './postgres/postgres.ts'
import { postgresHome } from './postgres/postgres-home.ts'
import { findPostmaster } from './postgres/postmaster.ts'
import { DATABASE, embeddedOwner, startEmbedded } from './servers.ts'

const READY_LIMIT_MS = 60_000

/** Waits for the database that another process runs. */
async function runningDatabase(dataDir: string): Promise<string> {
  const end = Date.now() + READY_LIMIT_MS
  while (embeddedOwner(dataDir) !== undefined && Date.now() < end) {
    const { data, password } = postgresHome(dataDir)
    const server = findPostmaster(data)
    if (server?.status === 'ready') {
      return databaseAt(embeddedUrl(password, server.port), DATABASE)
    }
    await sleep(100)
  }
  throw new Error(
    `The embedded Postgres of ${dataDir} is not ready after ${READY_LIMIT_MS / 1000} s`,
  )
}

/** The embedded database is the one that another process runs, else one for the duration of `work`. */
export async function withLocalDatabase<T>(
  databaseUrl: string | undefined,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl) return work(databaseUrl)
  // A lost environment would otherwise look like a sound product. Standard output holds results only.
  console.error(`DATABASE_URL is not set: the embedded database of ${DATA_DIR} is used`)
  if (embeddedOwner(DATA_DIR) !== undefined) return work(await runningDatabase(DATA_DIR))
  const wanted = { postgres: true, valkey: false }
  const servers = await startEmbedded({ dataDir: DATA_DIR, durable: true, wanted })
  try {
    return await work(servers.databaseUrl)
  } finally {
    await servers.stop()
  }
}
