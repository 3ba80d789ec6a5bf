import type { Db } from '#db/postgres/transaction'
import { CREDIT_SLOTS, SHARDS } from '#rules/constants'
import { lanes } from './lanes.ts'

/**
 * The rows that a credit writes, with constant amounts and nothing else: no due condition, no
 * earnings, no USDT share, no counters, no answer. As the sweep: prepared, found by shard and slot.
 */
const BARE_SQL = `
  with s as (
    update mining_sessions set "creditedIntervals" = "creditedIntervals" + 1,
      "lastRewardTime" = now(), "creditedAt" = now(), "lastRewardAmount" = 0.03333333,
      reward = reward + 0.03333333
    where active and shard = :shard and "creditSlot" between :from and :to
    returning id, "userId", "creditedIntervals" as n
  ), w as (
    update wallets set balance = balance + 0.03333333 from s where wallets."userId" = s."userId"
    returning wallets.id as "walletId", wallets."userId", balance, s.id, s.n
  )
  insert into wallet_activity (id, "userId", "walletId", type, amount, "tokenType", description,
    "createdAt", "balanceAfter")
  select 'credit:' || id || ':' || n, "userId", "walletId", 'mining_reward', 0.03333333, 'TESP', '',
    now(), balance from w`

/** Writes each session of the database once, `batch` at a time; returns how many. */
export async function bareWrites(
  db: Db,
  members: number,
  batch: number,
  connections: number,
): Promise<number> {
  const slots = Math.max(1, Math.round((batch * SHARDS * CREDIT_SLOTS) / members))
  const batches = Array.from({ length: SHARDS }, (_, shard) => shard).flatMap((shard) =>
    Array.from({ length: Math.ceil(CREDIT_SLOTS / slots) }, (_, n) => ({ shard, from: n * slots })),
  )
  let written = 0
  await lanes(connections, batches, async ({ shard, from }) => {
    const raw = db.raw(BARE_SQL, { shard, from, to: Math.min(CREDIT_SLOTS, from + slots) - 1 })
    const { rowCount } = await raw.options({ name: 'bare-writes' })
    written += rowCount
  })
  return written
}
