import type { Db } from '#db/postgres/statements/transaction'
import { advance } from '#db/testing/clock'
import { INTERVAL_MS } from '#rules/constants'
import { interleave, rowsOf } from '#trials/bench/harness/figures/interleave'
import type { BenchTable } from '#trials/bench/result'
import { bareWrites } from './bare-writes.ts'
import type { PopulatedDatabase } from './databases.ts'
import { jobPerSession } from './job-per-session.ts'
import { sweepAll } from './sweep.ts'

/** Rows of one statement of the bare writes: what a statement of the sweep holds on average. */
const BARE_BATCH = 3_200

const perSecond = async (work: () => Promise<number>) => {
  const startedAt = performance.now()
  return (await work()) / ((performance.now() - startedAt) / 1_000)
}

/** Sessions of the database that are due now and that no sweep will credit meanwhile. */
async function dueJobs(db: Db, count: number) {
  return db('mining_sessions')
    .where({ active: true })
    .orderBy('creditedIntervals')
    .limit(count)
    .select({ sessionId: 'id', memberId: 'userId' })
}

export type RateOptions = { rounds: number; redisUrl: string; jobs: number }

/** Credits a second of the sweep, of the bare writes and of one job a session. */
export async function rateTable(
  product: PopulatedDatabase,
  bare: PopulatedDatabase,
  { rounds, redisUrl, jobs }: RateOptions,
): Promise<BenchTable> {
  const { db, members, url } = product
  const perSession = jobPerSession(url, redisUrl)
  const sweep = (connections: number) => () => perSecond(() => sweepAll(db, connections))
  const write = (connections: number) => () =>
    perSecond(() => bareWrites(bare.db, members, BARE_BATCH, connections))
  const shapes = {
    'sweep, one connection': sweep(1),
    'bare writes, one connection': write(1),
    'sweep, two connections': sweep(2),
    'bare writes, two connections': write(2),
    'one BullMQ job a session': async () => perSession.run(await dueJobs(db, jobs)),
  }
  const values = await interleave(shapes, {
    rounds,
    before: async (name) => {
      // What a round of jobs left due is credited by a sweep outside of the measurement.
      if (name.startsWith('sweep')) await sweepAll(db, 2)
      if (!name.startsWith('bare')) await advance(db, INTERVAL_MS)
    },
  })
  await perSession.close()
  return {
    id: 'rate',
    title: `Credits of ${members.toLocaleString('en')} due sessions`,
    unit: 'credits/s',
    higherIsBetter: true,
    rows: rowsOf(values),
    ratios: [
      {
        of: 'sweep, one connection',
        to: 'bare writes, one connection',
        goal: { atLeast: 0.9 },
      },
      {
        of: 'sweep, two connections',
        to: 'bare writes, two connections',
        goal: { atLeast: 0.9 },
      },
      { of: 'sweep, two connections', to: 'one BullMQ job a session', goal: { atLeast: 55 } },
    ],
  }
}
