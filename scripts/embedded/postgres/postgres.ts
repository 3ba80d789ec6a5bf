import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#runtime/config/free-port'
import { processMark } from '#runtime/process/lifetime/process-lock.mjs'
import { ensureCluster, spawnOptions } from '#scripts/embedded/postgres/initdb'
import { postgresBinaries } from '#scripts/embedded/postgres/postgres-binaries'
import { type PostgresHome, postgresHome } from '#scripts/embedded/postgres/postgres-home'
import {
  dropMistakenPidFile,
  findPostmaster,
  gone,
  type Postmaster,
  stopPostmaster,
} from '#scripts/embedded/postgres/postmaster'
import type { RunningServer, ServerOptions } from '#scripts/embedded/protocol'

const READY_LIMIT_MS = 120_000

// synchronous_commit stays on: a killed server loses no data, only a power failure can.
// Each of six test workers opens the pools of a whole product.
// The log of tests is in memory, so it is kept small.
const NOT_DURABLE = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'max_wal_size=256MB',
]

function launch(postgres: string, home: PostgresHome, options: ServerOptions, port: number) {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=100',
    ...(options.durable ? [] : NOT_DURABLE),
    ...(options.postgresSettings ?? []),
  ]
  const log = fs.openSync(path.join(options.dataDir, 'postgres.log'), 'w', 0o600)
  const args = ['-D', home.data, '-p', String(port), ...settings.flatMap((entry) => ['-c', entry])]
  const child = spawn(postgres, args, {
    ...spawnOptions(home.user),
    stdio: ['ignore', log, log],
    detached: true,
  })
  fs.closeSync(log)
  return child
}

async function untilReady(home: PostgresHome, isStarting: () => boolean): Promise<Postmaster> {
  const end = Date.now() + READY_LIMIT_MS
  while (Date.now() < end) {
    const found = findPostmaster(home.data)
    if (found?.status === 'ready') return found
    if (!found && !isStarting()) break
    await sleep(10)
  }
  throw new Error('Postgres did not start: see postgres.log in the data folder')
}

/** What a killed owner left behind, if it is usable; otherwise it is stopped. */
async function survivor(home: PostgresHome): Promise<Postmaster | undefined> {
  const found = findPostmaster(home.data)
  if (!found) return undefined
  const ready = await untilReady(home, () => false).catch(() => undefined)
  if (!ready) await stopPostmaster(found.pid)
  return ready
}

async function start(home: PostgresHome, options: ServerOptions): Promise<Postmaster> {
  const { initdb, postgres } = await postgresBinaries(home.user)
  await ensureCluster(initdb, home, options.durable)
  dropMistakenPidFile(home.data)
  const child = launch(postgres, home, options, options.port ?? (await freePort()))
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  const isStarting = () => !failure && child.exitCode === null && child.signalCode === null
  return untilReady(home, isStarting).catch(async (error) => {
    if (child.pid && processMark(child.pid)) await stopPostmaster(child.pid)
    throw failure ?? error
  })
}

/** The embedded server has no TLS, so a PGSSLMODE of the shell, which speaks of another server, must not count. */
export const embeddedUrl = (password: string, port: number) =>
  `postgres://postgres:${password}@127.0.0.1:${port}/?sslmode=disable`

/** Starts Postgres on the data of `dataDir`, or adopts the one that still runs there. */
export async function startPostgres(options: ServerOptions): Promise<RunningServer> {
  const home = postgresHome(options.dataDir)
  const { pid, port } = (await survivor(home)) ?? (await start(home, options))
  return {
    url: embeddedUrl(home.password, port),
    port,
    pid,
    ended: gone(pid).then(() => undefined),
    stop: () => stopPostmaster(pid),
  }
}
