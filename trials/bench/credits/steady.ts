import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import { advance } from '#db/testing/clock'
import { MINUTE_MS } from '#rules/constants'
import { interleave } from '#trials/bench/harness/figures/interleave'
import { cpuPercent } from '#trials/bench/harness/figures/process-figures'
import { quantile } from '#trials/bench/harness/figures/statistics'
import { productEnv } from '#trials/bench/harness/product-env'
import { startRole } from '#trials/bench/harness/role'
import type { BenchServers } from '#trials/bench/harness/servers'
import type { BenchTable } from '#trials/bench/result'
import type { PopulatedDatabase } from './databases.ts'
import { sweepAll } from './sweep.ts'

const SECONDS = 12
/** Product time by which the clock is moved back so that nothing falls due. */
const BACK_MS = 10 * MINUTE_MS
/** Real time after a change of the clock until the sweeps have caught up. */
const SETTLE_MS = 3_000

type Shares = { postgres: number[]; worker: number[]; redis: number[]; total: number[] }

const noShares = (): Shares => ({ postgres: [], worker: [], redis: [], total: [] })

/**
 * Milliseconds from the end of the interval to the commit, of the credits of the last seconds. Commits
 * have real time, ends have product time, which the bench has moved.
 */
async function lateness(db: Db, seconds: number): Promise<number[]> {
  const { rows } = await db.raw(
    `select (extract(epoch from pg_xact_commit_timestamp(a.xmin) - (a."createdAt" - c.moved)) * 1000)
       ::float8 as ms
     from (select product_now() - clock_timestamp() as moved) c, wallet_activity a
     where a."createdAt" > product_now() - :seconds * interval '1 second'`,
    { seconds },
  )
  return rows.map(({ ms }: { ms: number }) => ms)
}

/** Load of one worker process at a steady rate of credits and at rest, and the lateness of credits. */
export async function steadyTables(
  { url, members, db }: PopulatedDatabase,
  { redisUrl, pids }: BenchServers,
  { rounds, quick }: { rounds: number; quick: boolean },
): Promise<BenchTable[]> {
  const seconds = quick ? 3 : SECONDS
  await sweepAll(db, 2)
  const env = productEnv({ databaseUrl: url, redisUrl }, { WORKERS_PORT: '0' })
  const worker = await startRole('workers', env)
  const shares = { steady: noShares(), rest: noShares() }
  const late: number[][] = []
  const measure = (name: keyof typeof shares) => async () => {
    const used = await cpuPercent(
      { postgres: pids.postgres, redis: pids.redis, worker: worker.pid },
      () => sleep(seconds * 1_000),
    )
    if (name === 'steady') late.push(await lateness(db, seconds))
    const total = used.postgres + used.worker + used.redis
    for (const [part, percent] of Object.entries({ ...used, total })) {
      shares[name][part as keyof Shares].push(percent)
    }
    return total
  }
  let isBack = false
  try {
    await interleave(
      { steady: measure('steady'), rest: measure('rest') },
      {
        rounds,
        before: async (name) => {
          if ((name === 'rest') !== isBack) await advance(db, isBack ? BACK_MS : -BACK_MS)
          isBack = name === 'rest'
          await sleep(SETTLE_MS)
        },
      },
    )
    if (isBack) await advance(db, BACK_MS)
  } finally {
    await worker.stop()
  }
  return [shareTable(shares, members, rounds), latenessTable(late.slice(-rounds))]
}

const GOALS = { steady: { atMost: 10 }, rest: { atMost: 2.5 } }

function shareTable(
  shares: Record<keyof typeof GOALS, Shares>,
  members: number,
  rounds: number,
): BenchTable {
  const titles = {
    steady: `${Math.round(members / 1_200)} credits/s`,
    rest: 'nothing due',
  }
  const rows = (['steady', 'rest'] as const).flatMap((name) =>
    (['postgres', 'worker', 'redis', 'total'] as const).map((part) => ({
      label: `${titles[name]}, ${part}`,
      values: shares[name][part].slice(-rounds),
      ...(part === 'total' && { goal: GOALS[name] }),
    })),
  )
  return {
    id: 'steady',
    title: `Load of ${members.toLocaleString('en')} running sessions`,
    unit: '% of a core',
    higherIsBetter: false,
    rows,
  }
}

function latenessTable(late: number[][]): BenchTable {
  return {
    id: 'lateness',
    title: 'From the end of an interval to its commit, steady',
    unit: 'ms',
    higherIsBetter: false,
    rows: [
      { label: 'p50', values: late.map((each) => quantile(each, 0.5)) },
      { label: 'p99', values: late.map((each) => quantile(each, 0.99)), goal: { atMost: 1_100 } },
    ],
  }
}
