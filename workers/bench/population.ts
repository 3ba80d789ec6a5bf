import type { Knex } from 'knex'

/**
 * Inserts members with a wallet and a running session each. The first interval of each session is
 * due, and the starts are spread evenly over the 20 minutes of an interval.
 */
export async function populate(db: Knex, members: number): Promise<void> {
  await db.raw('set statement_timeout = 0')
  await db.raw(
    `insert into users (username, "usernameKey", email, "emailKey", password)
     select 'm' || n, 'm' || n, 'm' || n || '@x', 'm' || n || '@x', '-' from generate_series(1, ?) n`,
    [members],
  )
  await db.raw('insert into wallets ("userId") select id from users')
  await db.raw('insert into mining_stats ("userId") select id from users')
  await makeDue(db)
  await db.raw('analyze')
}

/** Replaces all sessions by ones that started 20 to 40 minutes ago: one interval of each is due. */
export async function makeDue(db: Knex): Promise<void> {
  await db.raw('truncate mining_sessions, wallet_activity')
  await db.raw(
    `insert into mining_sessions ("userId", "startTime", "rateSince", "hashRate", "creditSlot")
     select u.id, s.start, s.start, 0.1,
       mod(floor(extract(epoch from s.start))::bigint, 1200)
     from users u cross join lateral (
       select date_trunc('milliseconds', product_now() - interval '20 minutes'
         - mod(u.id * 7919, 1200000) * interval '1 millisecond') as start) s
     order by u.id`,
  )
  await db.raw('vacuum analyze mining_sessions')
  await db.raw('vacuum analyze wallets')
}
