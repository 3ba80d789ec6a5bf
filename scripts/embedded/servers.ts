import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { lockOwner, tryLock, unlock } from '#runtime/process/lifetime/process-lock.mjs'
import { ensureDatabase } from '#scripts/embedded/create-database'
import { type HostedEvents, startHosted } from '#scripts/embedded/hosted'

/** On an embedded Postgres. */
export const DATABASE = 'tesp'

export interface EmbeddedOptions extends Partial<HostedEvents> {
  dataDir: string
  /** False for tests: Postgres does not flush to disk, and Valkey keeps no data. */
  durable: boolean
  wanted?: { postgres: boolean; valkey: boolean }
  /** Settings of Postgres, `name=value`; a bench gives it the memory of a real server. */
  postgresSettings?: string[]
}

/** Owned by the process that started them. */
export interface EmbeddedServers {
  /** Empty if Postgres was not started. */
  databaseUrl: string
  /** Empty if Valkey was not started. */
  redisUrl: string
  /** Current processes; a restart changes them. */
  readonly pids: { postgres?: number; valkey?: number }
  stop(): Promise<void>
}

export class AlreadyRunningError extends Error {
  constructor(
    readonly pid: number,
    dataDir: string,
  ) {
    super(`The embedded servers of ${dataDir} are in use by process ${pid}`)
  }
}

const ownerFile = (dataDir: string) => path.join(dataDir, 'owner.lock')

export const embeddedOwner = (dataDir: string) => lockOwner(ownerFile(dataDir))

/** The host processes end with this one, even by SIGKILL. @throws {AlreadyRunningError} */
export async function startEmbedded({
  dataDir,
  durable,
  wanted = { postgres: true, valkey: true },
  postgresSettings = [],
  log = () => {},
  failed = (error) => log(error.message),
}: EmbeddedOptions): Promise<EmbeddedServers> {
  // If this is root, Postgres runs as another account and must be able to traverse this folder.
  fs.mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const lock = ownerFile(dataDir)
  if (!tryLock(lock)) throw new AlreadyRunningError(lockOwner(lock) ?? 0, dataDir)

  const password = randomBytes(18).toString('hex')
  const options = { dataDir, durable, password, postgresSettings }
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
