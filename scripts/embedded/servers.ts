import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ensureDatabase } from '#db/postgres/admin'
import { type HostedEvents, startHosted } from '#scripts/embedded/hosted'
import { lockOwner, tryLock, unlock } from '#scripts/process/process-lock.mjs'

/** The database of the application on an embedded Postgres. */
export const DATABASE = 'tesp'

/** How to start the embedded servers. */
export interface EmbeddedOptions extends Partial<HostedEvents> {
  dataDir: string
  /** False for tests: nothing is flushed to disk, and Valkey keeps nothing. */
  durable: boolean
  /** Which servers to start; both if left out. */
  wanted?: { postgres: boolean; valkey: boolean }
}

/** The embedded servers, owned by the process that started them. */
export interface EmbeddedServers {
  /** Empty if Postgres was not wanted. */
  databaseUrl: string
  /** Empty if Valkey was not wanted. */
  redisUrl: string
  /** The present processes: they change when a server had to be restarted. */
  readonly pids: { postgres?: number; valkey?: number }
  stop(): Promise<void>
}

/** Another process owns the servers of this data folder. */
export class AlreadyRunningError extends Error {
  constructor(
    readonly pid: number,
    dataDir: string,
  ) {
    super(`The embedded servers of ${dataDir} are in use by process ${pid}`)
  }
}

const ownerFile = (dataDir: string) => path.join(dataDir, 'owner.lock')

/** The process that runs the servers of `dataDir` at this moment, if any. */
export const embeddedOwner = (dataDir: string) => lockOwner(ownerFile(dataDir))

/**
 * Starts an embedded Postgres and Valkey, each in a process of its own that stops by itself when
 * this one ends in whatever way. Throws AlreadyRunningError while another process owns them.
 */
export async function startEmbedded({
  dataDir,
  durable,
  wanted = { postgres: true, valkey: true },
  log = () => {},
  failed = (error) => log(error.message),
}: EmbeddedOptions): Promise<EmbeddedServers> {
  // Postgres runs under another account if this is root, and must pass through to its own folder.
  fs.mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const lock = ownerFile(dataDir)
  if (!tryLock(lock)) throw new AlreadyRunningError(lockOwner(lock) ?? 0, dataDir)

  const options = { dataDir, durable, password: randomBytes(18).toString('hex') }
  const events = { log, failed }
  const starting = [
    wanted.postgres ? startHosted('postgres', options, events) : undefined,
    wanted.valkey ? startHosted('valkey', options, events) : undefined,
  ] as const
  const stop = async () => {
    await Promise.all(
      starting.map((server) =>
        server?.then(
          (hosted) => hosted.stop(),
          () => {},
        ),
      ),
    )
    unlock(lock)
  }

  try {
    const [postgres, valkey] = await Promise.all(starting)
    return {
      databaseUrl: postgres ? await ensureDatabase(postgres.url, DATABASE) : '',
      redisUrl: valkey?.url ?? '',
      get pids() {
        return {
          ...(postgres && { postgres: postgres.pid }),
          ...(valkey && { valkey: valkey.pid }),
        }
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
