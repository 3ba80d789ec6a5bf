import type { Db } from '#db/postgres/statements/transaction'
import { SWEEP_RANGES } from '#rules/buckets'
import { CREDIT_SLOTS, INTERVAL_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { interleave } from '#trials/bench/measure'
import { type BenchTable, rowsOf } from '#trials/bench/result'
import { mapConcurrently } from '#trials/kit/until'
import type { PopulatedDatabase } from './credits.ts'
import { sweepAll } from './sweep.ts'

/** The writes of a credit with constant amounts. As the sweep: prepared, found by buckets and slot. */
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

/** Rows of one statement of the bare writes: what a statement of the sweep holds on average. */
const BARE_BATCH = 3_200

const perSecond = async (work: () => Promise<number>) => {
  const startedAt = performance.now()
  return (await work()) / ((performance.now() - startedAt) / 1_000)
}

export async function rateTable(
  product: PopulatedDatabase,
  bare: PopulatedDatabase,
  rounds: number,
): Promise<BenchTable> {
  const { db, members } = product
  const sweep = (connections: number) => () => perSecond(() => sweepAll(db, connections))
  const write = (connections: number) => () =>
    perSecond(() => bareWrites(bare.db, members, BARE_BATCH, connections))
  const shapes = {
    'sweep, one connection': sweep(1),
    'bare writes, one connection': write(1),
    'sweep, two connections': sweep(2),
    'bare writes, two connections': write(2),
  }
  const values = await interleave(shapes, {
    rounds,
    before: async (name) => {
      if (!name.startsWith('bare')) await advance(db, INTERVAL_MS)
    },
  })
  return {
    title: `Credits of ${members.toLocaleString('en')} due sessions`,
    unit: 'credits/s',
    rows: rowsOf(values),
    ratios: ['one connection', 'two connections'].map((by) => ({
      of: `sweep, ${by}`,
      to: `bare writes, ${by}`,
      goal: { atLeast: 0.9 },
    })),
  }
}
