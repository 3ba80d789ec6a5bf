import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { migrate } from '#db/migrations/migrate'
import { DATA_DIR } from '#runtime/process/root'
import { ensureDatabase } from '#scripts/embedded/create-database'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { memoryFolder } from '#scripts/testing/memory-folder'
import { removeLeftovers, runDataDir } from '#scripts/testing/stale-runs'
import { Forked } from '#trials/kit/fork'
import type { Trial } from '#trials/kit/trial'
import type { PlayerCalls } from './player-process.ts'
import { type Difference, HISTORIES, TEMPLATE, type WorldReport } from './simulate.ts'
import type { Counts } from './world.ts'

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

function bySocket(url: string, folder: string): string {
  const socket = new URL(url)
  socket.searchParams.set('host', folder)
  return socket.href
}

/** Its data is in memory if there is room. Removes what killed simulations of this checkout have left there. */
async function startServer(defer: Trial['defer']): Promise<string> {
  const memory = memoryFolder()
  const parent = memory ?? DATA_DIR
  await removeLeftovers(parent, 'simulate')
  const dataDir = runDataDir(parent, 'simulate')
  defer(() => removeDataDir(dataDir))
  // Elsewhere the path of the socket may be too long, or closed to the account of Postgres.
  const sockets = memory && makeSocketFolder(dataDir)
  const { databaseUrl, stop } = await startEmbedded({
    dataDir,
    durable: false,
    wanted: { postgres: true, valkey: false },
    postgresSettings: [...SETTINGS, ...(sockets ? [`unix_socket_directories=${sockets}`] : [])],
  })
  defer(stop)
  return sockets ? bySocket(databaseUrl, sockets) : databaseUrl
}

type SimulationRun = {
  /** Seed of the first world; the next ones follow it. */
  seed: number
  /** At least so many histories are played, in whole worlds. */
  histories: number
  /** '' for all; otherwise the only one to play, of the first seed. */
  only: string
  /** Worlds at a time, each with its own database; 0 for twice the cores, at most 8. */
  parallel: number
}

export function differenceText({ seed, history, problem, trace }: Difference): string {
  const name = history === undefined ? `seed ${seed}` : `seed ${seed}, history ${history}`
  const only = history === undefined ? '' : ` --only ${history}`
  return [
    `${name}: ${problem}`,
    ...trace.map((line) => `    ${line}`),
    `  replay alone:     npm run trial simulate -- --seed ${seed}${only}`,
    `  replay the world: npm run trial simulate -- --seed ${seed} --histories ${HISTORIES}`,
  ].join('\n')
}

const COUNTS = {
  'deliveries of commands': 'deliveries',
  'jobs of workers': 'jobs',
  'processes that died in between': 'cuts',
  'credits of workers': 'credits',
} as const

export async function trySimulation(
  { report, defer }: Trial,
  { seed, histories, only, parallel }: SimulationRun,
): Promise<void> {
  const server = await startServer(defer)
  await migrate(await ensureDatabase(server, TEMPLATE))
  const worlds = only === '' ? Math.ceil(histories / HISTORIES) : 1
  const cores = os.availableParallelism()
  const lanes = parallel || Math.min(8, 2 * cores)
  // Young space larger than V8's default: rows and queries of a statement die young.
  const players = Array.from({ length: Math.min(cores, lanes, worlds) }, () => {
    const flags = ['--max-semi-space-size=32']
    return new Forked<PlayerCalls>('trials/simulation/player-process.ts', { flags })
  })
  defer(() => {
    for (const player of players) player.end()
  })
  // One iterator for all: each takes the next seed.
  const seeds = Array.from({ length: worlds }, (_, n) => seed + n).values()
  const reports: WorldReport[] = []
  const total = (count: 'histories' | keyof Counts) =>
    reports.reduce((sum, one) => sum + one[count], 0)
  const playNext = async (n: number): Promise<void> => {
    const player = players[n % players.length] as Forked<PlayerCalls>
    for (const seed of seeds) {
      const world = { seed, only: only === '' ? undefined : Number(only) }
      reports.push(await player.call('play', server, world))
    }
  }
  await report.step(
    `worlds from seed ${seed} on`,
    () => Promise.all(Array.from({ length: lanes }, (_, n) => playNext(n))),
    () => `${worlds}, ${total('histories')} histories`,
  )
  for (const [name, count] of Object.entries(COUNTS)) {
    report.fact(name, total(count))
  }
  const differences = reports.flatMap((one) => one.differences)
  report.check('differences of product and model', differences.map(differenceText))
}
