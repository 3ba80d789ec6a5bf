import { ensureDatabase } from '#db/postgres/connection/admin'
import { migrate } from '#db/postgres/schema/migrate'
import { TEMPLATE } from './players/play-world.ts'
import type { Players } from './players/players.ts'
import { type Difference, HISTORIES, type WorldReport } from './simulate.ts'

export type SimulationRun = {
  /** Seed of the first world; the next ones follow it. */
  seed: number
  /** At least so many histories are played, in whole worlds. */
  histories: number
  /** The only history to play, of the first seed. */
  only?: number | undefined
  /** Worlds at a time, each with a database of its own. */
  parallel: number
}

/** A difference with all that is needed to see it again. */
export function differenceText({ seed, history, problem, trace }: Difference): string {
  const name = history === undefined ? `seed ${seed}` : `seed ${seed}, history ${history}`
  const only = history === undefined ? '' : ` --only ${history}`
  return [
    `${name}: ${problem}`,
    ...trace.map((line) => `    ${line}`),
    `  replay alone:     npm run simulate -- --seed ${seed}${only}`,
    `  replay the world: npm run simulate -- --seed ${seed} --histories ${HISTORIES}`,
  ].join('\n')
}

function print(reports: WorldReport[], seconds: number): void {
  const total = (count: (report: WorldReport) => number) =>
    reports.reduce((sum, report) => sum + count(report), 0)
  const histories = total((report) => report.histories)
  console.table({
    'histories (seeds)': `${histories} (${reports.length})`,
    'histories a minute': Math.round((histories / seconds) * 60),
    'deliveries of commands': total((report) => report.deliveries),
    'jobs of workers': total((report) => report.jobs),
    'processes that died in between': total((report) => report.cuts),
    'credits of workers': total((report) => report.credits),
    differences: total((report) => report.differences.length),
  })
}

/** Worlds that a run takes: whole ones. */
export function worldCount({ histories, only }: Pick<SimulationRun, 'histories' | 'only'>): number {
  return only === undefined ? Math.ceil(histories / HISTORIES) : 1
}

/**
 * Plays the worlds of consecutive seeds on a Postgres server, prints each difference and a summary.
 * @returns whether product and model agreed everywhere
 */
export async function runSimulation(
  server: string,
  players: Players,
  run: SimulationRun,
): Promise<boolean> {
  await migrate(await ensureDatabase(server, TEMPLATE))
  // One iterator for all: each takes the next seed that nobody has.
  const seeds = Array.from({ length: worldCount(run) }, (_, n) => run.seed + n).values()
  const reports: WorldReport[] = []
  const startedAt = performance.now()
  const playNext = async (n: number): Promise<void> => {
    for (const seed of seeds) {
      const report = await players.play(n, { server, seed, only: run.only })
      for (const difference of report.differences) console.error(differenceText(difference))
      reports.push(report)
    }
  }
  await Promise.all(Array.from({ length: run.parallel }, (_, n) => playNext(n)))
  print(reports, (performance.now() - startedAt) / 1_000)
  return reports.every(({ differences }) => differences.length === 0)
}
