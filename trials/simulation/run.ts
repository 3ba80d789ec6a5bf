import os from 'node:os'
import { migrate } from '#db/migrations/migrate'
import { ensureDatabase } from '#db/postgres/connection/admin'
import type { Trial } from '#trials/kit/trial'
import { Players, TEMPLATE } from './players.ts'
import { startServer } from './server.ts'
import { type Difference, HISTORIES, type WorldReport } from './simulate.ts'

export type SimulationRun = {
  /** Seed of the first world; the next ones follow it. */
  seed: number
  /** At least so many histories are played, in whole worlds. */
  histories: number
  /** The only history to play, of the first seed; '' for all. */
  only: string
  /** Worlds at a time, each with its own database; 0 for twice the cores, at most 8. */
  parallel: number
}

/** A difference with all that is needed to see it again. */
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

/** `npm run trial simulate`: plays the worlds of consecutive seeds in several processes. */
export async function trySimulation(
  { report, defer }: Trial,
  { seed, histories, only, parallel }: SimulationRun,
): Promise<void> {
  const server = await startServer()
  defer(() => server.stop())
  await migrate(await ensureDatabase(server.url, TEMPLATE))
  const worlds = only === '' ? Math.ceil(histories / HISTORIES) : 1
  const cores = os.availableParallelism()
  const lanes = parallel || Math.min(8, 2 * cores)
  const players = new Players(Math.min(cores, lanes, worlds))
  defer(() => players.end())
  // One iterator for all: each takes the next seed.
  const seeds = Array.from({ length: worlds }, (_, n) => seed + n).values()
  const reports: WorldReport[] = []
  const playNext = async (n: number): Promise<void> => {
    for (const seed of seeds) {
      const world = { server: server.url, seed, only: only === '' ? undefined : Number(only) }
      reports.push(await players.play(n, world))
    }
  }
  await report.step(
    `worlds from seed ${seed} on`,
    () => Promise.all(Array.from({ length: lanes }, (_, n) => playNext(n))),
    () => `${worlds}, ${reports.reduce((sum, one) => sum + one.histories, 0)} histories`,
  )
  for (const [name, count] of Object.entries(COUNTS)) {
    report.fact(
      name,
      reports.reduce((sum, one) => sum + one[count], 0),
    )
  }
  const differences = reports.flatMap((one) => one.differences)
  report.check('differences of product and model', differences.map(differenceText))
}
