import { setTimeout as sleep } from 'node:timers/promises'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { advance } from '#db/testing/clock'
import { formatRows } from '#operators/ops/print'
import { INTERVAL_MS } from '#rules/constants'
import type { TrialReport } from '#trials/kit/report'
import { largestShare, longestPause, type Second, totals } from './evenness.ts'
import type { Fleet } from './fleet.ts'

/** Seconds after a change in which credits at a small load are watched. */
const OBSERVED_S = 6
/** Intervals of all members that fall due at once: more than one statement credits. */
const BACKLOG_INTERVALS = 6
/** Within this time after a change every worker takes part in a backlog. */
const EVEN_WITHIN_S = 10
const BACKLOG_LIMIT_S = 60
/** A backlog is a job for each of eight ranges, of which a process takes two at a time. */
const LEAST_SHARING = 4
/** What a worker takes at most, as a multiple of an even share. */
const LARGEST_SHARE = 3

/** Credits of each worker in each second from now on, until `isDone` is true after a second. */
async function observe(fleet: Fleet, isDone: (seconds: number) => Promise<boolean>) {
  const observed: Second[] = []
  let before = await fleet.figures('workers', 'credits_total')
  do {
    await sleep(1_000)
    const now = await fleet.figures('workers', 'credits_total')
    observed.push(now.map((count, at) => count && count - (before[at] ?? 0)))
    before = now
  } while (!(await isDone(observed.length)))
  return observed
}

function printSeconds(title: string, seconds: Second[]): void {
  const rows = seconds.map((second, at) => ({
    second: at + 1,
    ...Object.fromEntries(second.map((credits, n) => [`worker ${n + 1}`, credits ?? '–'])),
  }))
  console.log(`\nCredits a second, ${title}\n\n${formatRows(rows)}\n`)
}

/** Makes the next intervals of all members due at once and reports how the workers share them. */
async function shareBacklog(fleet: Fleet, report: TrialReport, name: string): Promise<void> {
  const { db } = fleet.stage.product
  const workers = fleet.count('workers')
  await advance(db, BACKLOG_INTERVALS * INTERVAL_MS)
  const seconds = await observe(
    fleet,
    async (passed) => passed >= BACKLOG_LIMIT_S || (await creditLagSeconds(db)) < 300,
  )
  printSeconds(`${name}, backlog`, seconds)
  const credited = totals(seconds.slice(0, EVEN_WITHIN_S - OBSERVED_S), workers)
  const sharing = credited.filter(Boolean).length
  report.fact(`${name}: workers that share a backlog`, sharing)
  report.expect(`${name}: at least 4, or all`, sharing >= Math.min(workers, LEAST_SHARING), true)
  const share = largestShare(totals(seconds, workers))
  report.fact(
    `${name}: largest and even share, %`,
    [share, 1 / workers].map((each) => (each * 100).toFixed(0)).join(', '),
  )
  report.fact(`${name}: seconds until the backlog is credited`, seconds.length)
  report.expect(
    `${name}: none has more than three times its share`,
    share <= LARGEST_SHARE / workers,
    true,
  )
}

/**
 * Changes the number of workers under load. At a small load a sweep is one statement, which any worker
 * takes; the report says that credits go on. A backlog is shared by all of them.
 */
export async function changeWorkers(
  fleet: Fleet,
  report: TrialReport,
  { to, signal = 'SIGTERM' }: { to: number; signal?: NodeJS.Signals },
): Promise<void> {
  const name = `workers ${fleet.count('workers')} to ${to}${signal === 'SIGKILL' ? ', killed' : ''}`
  await report.step(name, () => fleet.scale('workers', to, signal))
  const seconds = await observe(fleet, async (passed) => passed >= OBSERVED_S)
  printSeconds(name, seconds)
  report.fact(`${name}: longest pause of credits, s`, longestPause(seconds))
  await shareBacklog(fleet, report, name)
}
