import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { cpuPercent, interleave } from '#trials/bench/measure'
import { type BenchOptions, type BenchTable, quantileRows } from '#trials/bench/result'
import { startRole } from '#trials/bench/role'
import type { BenchServers } from '#trials/bench/servers'
import type { PopulatedDatabase } from './credits.ts'
import { sweepAll } from './sweep.ts'

const SECONDS = 12
/** Product time by which the clock is moved back so that nothing falls due. */
const BACK_MS = 10 * MINUTE_MS
/** Real time after a change of the clock until the sweeps have caught up. */
const SETTLE_MS = 3_000
/** Percent of a core. */
const GOALS = { steady: { atMost: 10 }, rest: { atMost: 2.5 } }

/** Milliseconds from an interval's end (product time, which the bench moved) to its credit's commit (real time). */
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

export async function steadyTables(
  { url, members, db }: PopulatedDatabase,
  { redisUrl, pids: { postgres, redis } }: BenchServers,
  { rounds, quick }: BenchOptions,
): Promise<BenchTable[]> {
  const seconds = quick ? 3 : SECONDS
  await sweepAll(db, 2)
  const worker = await startRole('workers', { databaseUrl: url, redisUrl })
  const measure = (isSteady: boolean) => async () => {
    const pids = { postgres, worker: worker.pid, redis }
    const used = await cpuPercent(pids, () => sleep(seconds * 1_000))
    const late = isSteady ? await lateness(db, seconds) : []
    return { ...used, total: used.postgres + used.worker + used.redis, late }
  }
  let isBack = false
  const moveBack = async (back: boolean) => {
    if (back !== isBack) await advance(db, back ? -BACK_MS : BACK_MS)
    isBack = back
  }
  try {
    const measured = await interleave(
      { steady: measure(true), rest: measure(false) },
      {
        rounds,
        before: async (name) => {
          await moveBack(name === 'rest')
          await sleep(SETTLE_MS)
        },
      },
    )
    await moveBack(false)
    const titles = { steady: `${Math.round(members / 1_200)} credits/s`, rest: 'nothing due' }
    const late = measured.steady.map((round) => round.late)
    return [
      {
        title: `Load of ${members.toLocaleString('en')} running sessions`,
        unit: '% of a core',
        rows: (['steady', 'rest'] as const).flatMap((name) =>
          (['postgres', 'worker', 'redis', 'total'] as const).map((part) => ({
            label: `${titles[name]}, ${part}`,
            values: measured[name].map((round) => round[part]),
            ...(part === 'total' && { goal: GOALS[name] }),
          })),
        ),
      },
      {
        title: 'From the end of an interval to its commit, steady',
        unit: 'ms',
        rows: quantileRows(late, { atMost: 1_100 }),
      },
    ]
  } finally {
    await worker.stop()
  }
}
