import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAt } from '#db/postgres/admin'
import { postgresHome } from './postgres-home.ts'
import { findPostmaster } from './postmaster.ts'
import { DATABASE, embeddedOwner, startEmbedded } from './servers.ts'

const READY_LIMIT_MS = 60_000

/** The database of the servers that another process runs on `dataDir`. */
async function runningDatabase(dataDir: string): Promise<string> {
  const end = Date.now() + READY_LIMIT_MS
  while (embeddedOwner(dataDir) !== undefined && Date.now() < end) {
    const { data, password } = postgresHome(dataDir)
    const server = findPostmaster(data)
    if (server?.status === 'ready') {
      return databaseAt(`postgres://postgres:${password}@127.0.0.1:${server.port}/`, DATABASE)
    }
    await sleep(100)
  }
  throw new Error('The embedded Postgres that another process runs did not become ready')
}

/**
 * Runs `work` on the database of DATABASE_URL or, without that, on the embedded one: beside the
 * process that has it running, or started for as long as `work` takes.
 */
export async function withLocalDatabase<T>(
  { databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string },
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl) return work(databaseUrl)
  if (embeddedOwner(dataDir) !== undefined) return work(await runningDatabase(dataDir))
  const wanted = { postgres: true, valkey: false }
  const servers = await startEmbedded({ dataDir, durable: true, wanted })
  try {
    return await work(servers.databaseUrl)
  } finally {
    await servers.stop()
  }
}
