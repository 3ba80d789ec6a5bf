import { checkAudit, checkSeals } from '#trials/kit/checks'
import { Random } from '#trials/kit/random'
import { compareLedgers, compareViews } from './compare.ts'
import { deliverCommand, History } from './history.ts'
import { SESSION } from './model/rules.ts'
import type { JobName } from './product/jobs.ts'
import { runJob, Timeline } from './timeline.ts'
import { type Counts, World } from './world.ts'

export const TEMPLATE = 'simulation_template'
/** Histories of one world: they share its database, clock and workers. */
export const HISTORIES = 400
const TICKS = 48
/** New commands of a history at a tick. */
const PACE = 0.22
/** Ticks between two comparisons of all screens. */
const COMPARED = 6

export type Simulation = {
  /** Seeds the clock, the workers and all histories. */
  seed: number
  /** The first histories of the world only; default: all. */
  histories?: number
  /** The only history to play; clock, workers and its commands are the same as among the others. */
  only?: number | undefined
}

/** `history` is missing if the difference is not that of one. */
export type Difference = { seed: number; history?: number; problem: string; trace: string[] }

export type WorldReport = Counts & { histories: number; differences: Difference[] }

const SETTLING: JobName[] = ['maintenance', 'check-credits', 'end-sessions']
/** Seals and rolls up old days; the second turn is for what waited for another transaction. */
const ARCHIVING: JobName[] = ['seal-ledger', 'roll-up-ledger', 'seal-ledger', 'roll-up-ledger']

async function runOnTime(world: World, jobs: JobName[]): Promise<void> {
  for (const name of jobs) await runJob(world, { name })
}

async function play(world: World, timeline: Timeline, compareEvery: number): Promise<void> {
  for (let tick = 1; tick <= TICKS; tick++) {
    await world.step(timeline.step())
    for (const job of timeline.jobs()) await runJob(world, job)
    for (const history of world.sound) {
      for (const arrival of history.arrivals(tick, world.economy)) {
        if (!history.problem) await deliverCommand(world, history, arrival)
      }
    }
    if (tick % compareEvery === 0) await compareViews(world)
  }
}

async function finish(world: World): Promise<void> {
  for (const history of world.sound) {
    for (const command of history.rest()) {
      await deliverCommand(world, history, { command, fault: { kind: 'none' }, tick: TICKS })
    }
  }
  await world.step(4 * SESSION)
  await runOnTime(world, SETTLING)
  await compareViews(world)
  await runOnTime(world, ARCHIVING)
  await compareLedgers(world)
}

/** In an empty, migrated database. @returns every difference, the first of each history */
export async function simulate(
  url: string,
  { seed, histories: count = HISTORIES, only }: Simulation,
): Promise<WorldReport> {
  const indexes = only === undefined ? Array.from({ length: count }, (_, n) => n) : [only]
  const histories = indexes.map((index) => new History(index, seed, PACE))
  const timeline = new Timeline(new Random(seed))
  const world = new World(url, histories)
  const differences: Difference[] = []
  try {
    await world.open(timeline.start())
    await runOnTime(world, SETTLING)
    await play(world, timeline, only === undefined ? COMPARED : 1)
    await finish(world)
    const problems = new Set<string>()
    await checkAudit(world.observer, problems)
    await checkSeals(world.observer, problems)
    for (const problem of problems) differences.push({ seed, problem, trace: [] })
  } catch (error) {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error)
    differences.push({ seed, problem, trace: histories[0]?.trace.slice(-20) ?? [] })
  } finally {
    await world.close()
  }
  for (const { index, problem, trace } of histories) {
    if (problem !== undefined) differences.push({ seed, history: index, problem, trace })
  }
  return { ...world.counts, histories: histories.length, differences }
}
