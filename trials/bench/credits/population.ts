import { creditSlotSql } from '#db/mining/sweep'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketSql } from '#rules/buckets'

/**
 * Inserts members with a wallet, stats and a running session each, by SQL. The sessions started in the
 * last 20 minutes of product time, in the order of their ids as `startMining` inserts them, so none
 * is due yet and one falls due each 1,200,000 / members ms. The audit holds on them.
 */
export async function populate(db: Db, members: number): Promise<void> {
  await db.raw(
    `insert into users (username, "usernameKey", email, "emailKey", password)
     select m, m, m || '@x', m || '@x', '-' from generate_series(1, ?) n, lateral (select 'm' || n as m) k`,
    [members],
  )
  await db.raw(`insert into wallets (bucket, "userId") select ${bucketSql('id')}, id from users`)
  await db.raw(
    `insert into mining_stats (bucket, "userId") select ${bucketSql('id')}, id from users`,
  )
  await db.raw(
    `insert into mining_sessions
       (bucket, "userId", "startTime", "rateSince", "hashRate", "creditSlot")
     select ${bucketSql('u.id')}, u.id, s.start, s.start, 0.1, ${creditSlotSql('s.start')}
     from (select product_now() as now) c, users u cross join lateral (
       select date_trunc('milliseconds',
         c.now - mod(u.id::bigint * 7919, 1200000) * interval '1 millisecond') as start) s
     order by s.start`,
  )
  await db('network_counters')
    .where({ bucket: 0, lane: 1 })
    .update({ activeSessions: members, activeRate: members / 10 })
  await db.raw('vacuum analyze')
}
