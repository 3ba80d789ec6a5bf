import fs from 'node:fs'
import path from 'node:path'
import { DATA_DIR } from '#runtime/process/root'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { memoryFolder } from '#scripts/testing/memory-folder'
import { removeLeftovers, runDataDir } from '#scripts/testing/stale-runs'

/** Without crash recovery, autovacuum and compiled statements: the data lives for minutes. */
const SETTINGS = [
  'synchronous_commit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=512MB',
  'checkpoint_timeout=1d',
  'autovacuum=off',
  'jit=off',
  'update_process_title=off',
  'deadlock_timeout=100ms',
]

/** Gives Postgres a folder for its socket: a path takes less CPU time than TCP. */
function makeSocketFolder(dataDir: string): string {
  const folder = path.join(dataDir, 'sockets')
  fs.mkdirSync(folder, { recursive: true })
  // Postgres runs under another account if this process is root, regardless of the umask.
  fs.chmodSync(dataDir, 0o711)
  fs.chmodSync(folder, 0o777)
  return folder
}

/** The URL of the same server by its socket in `folder`. */
function bySocket(url: string, folder: string): string {
  const socket = new URL(url)
  socket.searchParams.set('host', folder)
  return socket.href
}

/** A Postgres of this process alone. */
export type SimulationServer = { url: string; stop(): Promise<void> }

/**
 * Starts a Postgres whose data is in memory if there is room, and removes what killed simulations of
 * this checkout have left there. `stop` removes the data.
 */
export async function startServer(): Promise<SimulationServer> {
  const memory = memoryFolder()
  const parent = memory ?? DATA_DIR
  await removeLeftovers(parent, 'simulate')
  const dataDir = runDataDir(parent, 'simulate')
  // Elsewhere the path of the socket may be too long, or closed to the account of Postgres.
  const sockets = memory && makeSocketFolder(dataDir)
  try {
    const servers = await startEmbedded({
      dataDir,
      durable: false,
      wanted: { postgres: true, valkey: false },
      postgresSettings: [...SETTINGS, ...(sockets ? [`unix_socket_directories=${sockets}`] : [])],
    })
    return {
      url: sockets ? bySocket(servers.databaseUrl, sockets) : servers.databaseUrl,
      async stop() {
        await servers.stop()
        removeDataDir(dataDir)
      },
    }
  } catch (error) {
    removeDataDir(dataDir)
    throw error
  }
}
