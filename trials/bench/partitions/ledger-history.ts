import { partitionName } from '#db/postgres/schema/partitions'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { insertMiningMembers } from '#trials/bench/harness/mining-members'

/** One hour of mining a day at a rate whose credits are exact: 0.3 TESP an hour, 0.1 an interval. */
const RATE = '0.3'
const CREDITS_A_DAY = 3

/** A ledger partition of its own for each of the last `days` days, as the product makes them. */
async function insertPartitions(db: Db, days: number): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (let ago = 1; ago <= days; ago++) {
    const day = today - ago * DAY_MS
    const [from, to] = [day, day + DAY_MS].map((at) => new Date(at).toISOString())
    await db.raw(
      `create table if not exists ${partitionName(day)}
       partition of wallet_activity for values from ('${from}') to ('${to}')`,
    )
  }
}

/**
 * Inserts members who mined for an hour on each of the last `days` days and mine again now, with one
 * ledger partition a day. The audit holds on them.
 * @returns ids of the members
 */
export async function insertLedgerHistory(
  db: Db,
  { members, days }: { members: number; days: number },
): Promise<number[]> {
  await insertPartitions(db, days)
  const ids = await insertMiningMembers(db, members)
  await db.raw(
    `insert into mining_sessions (bucket, "userId", "startTime", "rateSince", "endTime", active, status,
       "hashRate", "creditSlot", "creditedIntervals", "creditedAt", "lastRewardTime",
       "lastRewardAmount", reward)
     select ${bucketSql('u.id')}, u.id, s.start, s.start, s.start + interval '1 hour', false, 'stopped', :rate,
       mod(floor(extract(epoch from s.start))::bigint, 1200), :credits,
       s.start + interval '1 hour', s.start + interval '1 hour', 0.1, 0.1 * :credits
     from users u, generate_series(1, :days) ago cross join lateral (
       select date_trunc('day', now(), 'UTC') - ago * interval '1 day'
         + mod(u.id, 20) * interval '1 hour' as start) s
     order by s.start`,
    { days, rate: RATE, credits: CREDITS_A_DAY },
  )
  await db.raw(
    `insert into wallet_activity
       (bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
         "balanceAfter")
     select s.bucket, 'credit:' || s.id || ':' || n, s."userId", w.id, 'mining_reward', 0.1, 'TESP',
       'Automatic mining credit', s."startTime" + n * interval '20 minutes',
       0.1 * row_number() over (partition by s."userId" order by s."startTime", n)
     from mining_sessions s join wallets w on w."userId" = s."userId"
     cross join generate_series(1, :credits) n
     where not s.active order by s."startTime" + n * interval '20 minutes'`,
    { credits: CREDITS_A_DAY },
  )
  const bindings = { days, credits: CREDITS_A_DAY, members }
  await db.raw('update wallets set balance = 0.1 * :days * :credits', bindings)
  await db.raw(
    `update network_counters set "ledgerRows" = :days::bigint * :credits * :members where bucket = 0 and lane = 0`,
    bindings,
  )
  await db.raw('vacuum analyze')
  return ids
}
