import type { Db } from '#db/postgres/statements/transaction'

/** What a credit of `creditAtEarlierRelease` pays. */
const AMOUNT = '0.03333333'

/**
 * Inserts members with a running session each by statements of the release before buckets
 * (migration 031), for tests of the migration.
 * @param startedAgo PostgreSQL interval
 */
export async function addEarlierMembers(
  db: Db,
  count: number,
  startedAgo = '0 minutes',
): Promise<void> {
  await db.raw(
    `with made as (
       insert into users (username, "usernameKey", password, email, "emailKey")
       select n, n, '', n, n
       from (select gen_random_uuid()::text as n from generate_series(1, :count)) x
       returning id
     ), walleted as (
       insert into wallets ("userId") select id from made
     ), stats as (
       insert into mining_stats ("userId") select id from made
     ), started as (
       insert into mining_sessions ("userId", "startTime", "rateSince", "hashRate", "creditSlot")
       select id, "start", "start", 0.1, 0
       from made, (select now() - :startedAgo::interval as "start") s
       on conflict ("userId") where active do nothing
     )
     update network_counters c set "activeSessions" = "activeSessions" + made.count,
       "activeRate" = "activeRate" + 0.1 * made.count
     from (select count(*) from made) made where bucket = 8`,
    { count, startedAgo },
  )
}

/** Credits the next interval of each running session, as that release does; due or not. */
export async function creditAtEarlierRelease(db: Db): Promise<void> {
  await db.raw(
    `with due as (
       update mining_sessions set "creditedIntervals" = "creditedIntervals" + 1,
         reward = reward + ${AMOUNT}
       where active and "creditedIntervals" < 72
       returning id, "userId", "creditedIntervals" as n,
         "startTime" + "creditedIntervals" * interval '20 minutes' as "at"
     ), paid as (
       update wallets w set balance = balance + ${AMOUNT} from due where w."userId" = due."userId"
       returning due.*, w.id as "walletId", balance
     ), written as (
       insert into wallet_activity (id, "userId", "walletId", type, amount, "tokenType", description,
         "createdAt", "balanceAfter")
       select 'credit:' || id || ':' || n, "userId", "walletId", 'mining_reward', ${AMOUNT}, 'TESP', '',
         "at", balance from paid
     )
     update network_counters set "ledgerRows" = "ledgerRows" + p.count
     from (select count(*) from paid) p where bucket = 0`,
  )
}

/** Pays the newest member a fact, as that release does. */
export async function postAtEarlierRelease(db: Db, fact: string): Promise<void> {
  await db.raw(
    `with fact as (
       insert into ledger_facts (id, "createdAt") values (:fact, date_trunc('milliseconds', now()))
       returning id, "createdAt"
     ), paid as (
       update wallets set balance = balance + 2 from fact
       where "userId" = (select max("userId") from wallets)
       returning wallets.id as "walletId", "userId", balance, fact.id, fact."createdAt"
     ), counted as (
       update network_counters set "ledgerRows" = "ledgerRows" + 1 from paid where bucket = 8
     )
     insert into wallet_activity (id, "userId", "walletId", type, amount, "tokenType", description,
       "createdAt", "balanceAfter")
     select id, "userId", "walletId", 'other', 2, 'TESP', 'fact', "createdAt", balance from paid`,
    { fact },
  )
}
