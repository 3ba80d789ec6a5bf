import { productNow } from '#db/postgres/connection/product-clock'
import { partitionName } from '#db/postgres/schema/partitions'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'
import { DAY_MS, INTERVALS } from '#rules/constants'

/** Days from the end of the history until now, so that all of it is due to be rolled up. */
const AGE_DAYS = 10

const MEMBERS_SQL = `
  insert into users (username, "usernameKey", email, "emailKey", password)
    select m, m, m || '@x', m || '@x', '-' from generate_series(1, :members) n, lateral (select 'm' || n as m) k;
  insert into wallets (bucket, "userId") select ${bucketSql('id')}, id from users order by id;
  insert into mining_stats (bucket, "userId") select ${bucketSql('id')}, id from users order by id;
  insert into mining_sessions (bucket, "userId", "startTime", "rateSince", "endTime", active, status,
      "hashRate", "creditSlot", "creditedIntervals", reward, "rewardClaimed")
    select ${bucketSql('u.id')}, u.id, s.start, s.start, s.start + interval '24 hours', false, 'completed', 0.12,
      mod(floor(extract(epoch from s.start))::bigint, 1200), ${INTERVALS}, 2.88, true
    from users u, generate_series(0, :days - 1) day cross join lateral (
      select :first::timestamptz + day * interval '24 hours'
        + (u.id::bigint * 7919000 % 86400000) * interval '1 ms' as start) s
    order by s.start`

/** The credits of a day in the order in which they are posted. */
const DAY_SQL = `
  insert into wallet_activity
    (bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
      "balanceAfter")
  select s.bucket, 'credit:' || s.id || ':' || n, s."userId", w.id, 'mining_reward', 0.04, 'TESP', '', c.at,
    0.04 * (n + ${INTERVALS} * round(extract(epoch from s."startTime" - m.first) / 86400))
  from mining_sessions s
  join wallets w on w.bucket = s.bucket and w."userId" = s."userId"
  join (select "userId", min("startTime") as first from mining_sessions group by 1) m
    on m."userId" = s."userId"
  cross join generate_series(1, ${INTERVALS}) n
  cross join lateral (select s."startTime" + n * interval '20 minutes' as at) c
  where c.at >= :from and c.at < :to order by c.at`

const REST_SQL = `
  update wallets set balance = 2.88 * :days;
  update mining_stats set "totalMined" = 2.88 * :days;
  update network_counters set "ledgerRows" = ${INTERVALS}::bigint * :days * :members where bucket = 0 and lane = 0;
  update credit_sweeps set "sweptTo" = product_now()`

/**
 * Fills an empty database with members who mine without a break for `days` days: a day between the
 * ends has two sessions and 72 credits a member. The audit finds every rule kept.
 * @returns the partitions of the days between the ends
 */
export async function miningDays(db: Db, members: number, days: number): Promise<string[]> {
  const today = Math.floor((await productNow(db)) / DAY_MS)
  const first = (today - AGE_DAYS - days) * DAY_MS
  const iso = (day: number) => new Date(first + day * DAY_MS).toISOString()
  await runAll(db, MEMBERS_SQL, { members, days, first: iso(0) })
  await db.raw('analyze')
  const partitions: string[] = []
  for (let day = 0; day <= days; day++) {
    const name = partitionName(first + day * DAY_MS)
    partitions.push(name)
    await db.raw(
      `create table ?? partition of wallet_activity for values from ('${iso(day)}') to ('${iso(day + 1)}')`,
      [name],
    )
    await db.raw(DAY_SQL, { from: iso(day), to: iso(day + 1) })
  }
  await runAll(db, REST_SQL, { members, days })
  await db.raw('vacuum analyze')
  return partitions.slice(1, -1)
}

/** Statements with values have to be sent one by one. */
async function runAll(db: Db, sql: string, values: Record<string, number | string>): Promise<void> {
  for (const statement of sql.split(';')) await db.raw(statement, values)
}
