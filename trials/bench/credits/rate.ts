import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { connect } from '#db/engine/connect'
import { creditIntervals } from '#db/ledger/ledger'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { SWEEP_RANGES } from '#rules/buckets'
import { CREDIT_SLOTS, INTERVAL_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { interleave } from '#trials/bench/measure'
import { type BenchTable, rowsOf } from '#trials/bench/result'
import type { PopulatedDatabase } from './credits.ts'
import { mapConcurrently, sweepAll } from './sweep.ts'

/**
 * The rows that a credit writes, with constant amounts and nothing else: no due condition, no
 * earnings, no USDT share, no counters, no answer. As the sweep: prepared, found by buckets and slot.
 */
const BARE_SQL = `
  with s as (
    update mining_sessions set "creditedIntervals" = "creditedIntervals" + 1,
      "lastRewardTime" = now(), "creditedAt" = now(), "lastRewardAmount" = 0.03333333,
      reward = reward + 0.03333333
    where active and "creditSlot" between :from and :to and bucket between :first and :last
    returning id, bucket, "userId", "creditedIntervals" as n
  ), w as (
    update wallets set balance = balance + 0.03333333 from s
    where wallets.bucket = s.bucket and wallets."userId" = s."userId"
    returning wallets.bucket, wallets.id as "walletId", wallets."userId", balance, s.id, s.n
  )
  insert into wallet_activity (bucket, id, "userId", "walletId", type, amount, "tokenType",
    description, "createdAt", "balanceAfter")
  select bucket, 'credit:' || id || ':' || n, "userId", "walletId", 'mining_reward', 0.03333333, 'TESP', '',
    now(), balance from w`

/** Writes each session of the database once, `batch` at a time; returns how many. */
async function bareWrites(
  db: Db,
  members: number,
  batch: number,
  connections: number,
): Promise<number> {
  const slots = Math.max(1, Math.round((batch * SWEEP_RANGES.length * CREDIT_SLOTS) / members))
  const batches = SWEEP_RANGES.flatMap((buckets) =>
    Array.from({ length: Math.ceil(CREDIT_SLOTS / slots) }, (_, n) => ({
      ...buckets,
      from: n * slots,
    })),
  )
  let written = 0
  await mapConcurrently(batches, connections, async ({ first, last, from }) => {
    const to = Math.min(CREDIT_SLOTS, from + slots) - 1
    const raw = db.raw(BARE_SQL, { first, last, from, to })
    const { rowCount } = await raw.options({ name: 'bare-writes' })
    written += rowCount
  })
  return written
}

type SessionJob = { sessionId: number; memberId: number }

/** Jobs that run at a time, with a connection each, so that their commits share flushes. */
const CONCURRENCY = 16
const NAME = 'credit-session'

/**
 * The usual shape of delayed jobs: one BullMQ job a session, which credits it by the statement of the
 * product and adds the delayed job of its next interval.
 */
function jobPerSession(databaseUrl: string, redisUrl: string) {
  const db = connect(databaseUrl, { max: CONCURRENCY, name: 'bench-jobs' })
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null })
  const queue = new Queue<SessionJob>(NAME, { connection })
  return {
    /** Credits these sessions, which are due; returns credits a second from the first job on. */
    async run(sessions: SessionJob[]): Promise<number> {
      await queue.obliterate({ force: true })
      await queue.addBulk(
        sessions.map((data) => ({ name: NAME, data, opts: { removeOnComplete: true } })),
      )
      const now = await productNow(db)
      let credits = 0
      let seconds = 0
      const startedAt = performance.now()
      await new Promise<void>((resolve, reject) => {
        const worker = new Worker<SessionJob>(
          NAME,
          async ({ data }) => {
            credits += (await creditIntervals(db, data, now)).length
            await queue.add(NAME, data, { delay: INTERVAL_MS, removeOnComplete: true })
          },
          { connection, concurrency: CONCURRENCY },
        )
        worker.on('failed', (_job, error) => reject(error))
        let left = sessions.length
        worker.on('completed', () => {
          left -= 1
          if (left > 0) return
          seconds = (performance.now() - startedAt) / 1_000
          worker.close().then(resolve, reject)
        })
      })
      return credits / seconds
    },
    async close() {
      await queue.obliterate({ force: true })
      await queue.close()
      await db.destroy()
      connection.disconnect()
    },
  }
}

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

type RateOptions = { rounds: number; redisUrl: string; jobs: number }

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
    title: `Credits of ${members.toLocaleString('en')} due sessions`,
    unit: 'credits/s',
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
