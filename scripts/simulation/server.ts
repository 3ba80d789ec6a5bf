import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { memoryFolder } from '#scripts/testing/memory-folder'

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

/** Windows has no such sockets that Node could use by a path. */
const HAS_SOCKETS = process.platform !== 'win32'

/** The URL of the same server by its socket in `folder`, which takes less CPU time than TCP. */
function bySocket(url: string, folder: string): string {
  const socket = new URL(url)
  socket.searchParams.set('host', folder)
  return socket.href
}

/** Runs work on a Postgres of its own, whose data is in memory if there is room. */
export async function withServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(memoryFolder() ?? os.tmpdir(), 'simulate-'))
  // Postgres runs under another account if this process is root.
  fs.chmodSync(folder, 0o755)
  const dataDir = path.join(folder, 'data')
  const sockets = path.join(folder, 'sockets')
  fs.mkdirSync(sockets)
  fs.chmodSync(sockets, 0o777)
  const servers = await startEmbedded({
    dataDir,
    durable: false,
    wanted: { postgres: true, valkey: false },
    postgresSettings: [...SETTINGS, ...(HAS_SOCKETS ? [`unix_socket_directories=${sockets}`] : [])],
  })
  try {
    return await work(HAS_SOCKETS ? bySocket(servers.databaseUrl, sockets) : servers.databaseUrl)
  } finally {
    await servers.stop()
    removeDataDir(dataDir)
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
