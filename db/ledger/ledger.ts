import { prepared } from '#db/postgres/prepared'
import { type Db, sqlState, type Tx } from '#db/postgres/transaction'
import { HOUR_MS, INTERVALS } from '#rules/constants'
import { ledgerIdSql } from '#rules/ledger-id'
import type { Money } from '#rules/money'
import { RuleError } from '#rules/rule-error'
import type { Activity } from '#rules/snapshots'
import { nextIntervalEndSql } from './interval-sql.ts'
import { memberBucket } from './network-counters.ts'

/** One change of one balance, and the fact that it pays for. */
export type Posting = {
  /** Names the fact, so that it is paid once (#rules/ledger-id): `task:7:join_telegram`. */
  id: string
  userId: number
  token: 'TESP' | 'USDT'
  /** Negative amounts reduce the balance. */
  amount: Money
  type: Activity['type']
  description: string
  /** Product time of the fact, ms. */
  at: number
}

const CHECK_VIOLATION = '23514'

/** Posts to one balance, a column of `wallets`. */
const postSql = (balance: string) => `
  with fact as (
    insert into ledger_facts (id, "createdAt") values (:id, :at)
    on conflict do nothing returning id
  ), paid as (
    update wallets set ${balance} = ${balance} + :amount from fact where "userId" = :userId
    returning wallets.id as "walletId", ${balance} as "balanceAfter"
  ), counted as (
    update network_counters set "ledgerRows" = "ledgerRows" + 1 from paid
    where bucket = :bucket
  ), logged as (
    insert into member_changes ("userId") select :userId::integer from paid
  )
  insert into wallet_activity
    (id, "userId", "walletId", type, amount, "tokenType", description, "createdAt", "balanceAfter")
  select :id, :userId, "walletId", :type, :amount, :token, :description, :at, "balanceAfter"
  from paid returning id`

const POST_SQL = { TESP: postSql('balance'), USDT: postSql('"usdtBalance"') }

/**
 * Changes a balance together with its ledger row. Only this function and `creditIntervals` change
 * balances (rules.md: Money).
 * @throws {RuleError} `already_posted` for an id that was paid before, `insufficient_balance` when
 * the balance would fall below zero
 */
export async function post(tx: Tx, posting: Posting): Promise<void> {
  const { token, userId } = posting
  const bindings = { ...posting, at: new Date(posting.at), bucket: memberBucket(userId) }
  try {
    const { rows } = await prepared(tx, `post-${token}`, POST_SQL[token], bindings)
    if (rows.length !== 1) throw new RuleError('already_posted', 'This was paid already')
  } catch (error) {
    if (sqlState(error) !== CHECK_VIOLATION || !/alance_check/.test(String(error))) throw error
    throw new RuleError('insufficient_balance', 'The balance is too low for this')
  }
}

/** A written credit: interval `n` of a session; `hasMore` if the next one is due as well. */
export type Credit = { sessionId: number; userId: number; n: number; hasMore: boolean }

/** Which sessions to credit: one shard's slots `from…to`, or one member's session. */
export type CreditScope =
  | { shard: number; from: number; to: number }
  | { shard: number; sessionIds: number[] }
  | { sessionId: number; memberId: number }

const NEXT_INTERVAL_END = nextIntervalEndSql('s')

/** Sessions with an interval to credit at `:now`; a quarantined one waits for an operator. */
const DUE = `s.active and s."quarantinedAt" is null and s."creditedIntervals" < ${INTERVALS}
      and ${NEXT_INTERVAL_END} <= coalesce(:now::timestamptz, (select product_now()))`

/** SQL twin of `earnedAt` of #rules/mining: tokens earned until the end of the next interval. */
const earnedSql = (rate: string, accrued: string) =>
  `div((s."${accrued}" + s."${rate}" *
        (extract(epoch from ${NEXT_INTERVAL_END} - s."rateSince") * 1000)) * 100000000,
       ${HOUR_MS}) * 0.00000001`

const TESP_EARNED = earnedSql('hashRate', 'tespAccrued')
const USDT_EARNED = earnedSql('usdtRate', 'usdtAccrued')

/**
 * One statement, so one transaction: sessions advance by one interval, wallets rise, ledger rows
 * are written, USDT shares become pending. A worker that dies or freezes between statements holds
 * no lock. Postgres evaluates the due condition again after waiting for a row, so two workers on
 * the same sessions credit once. Lock order, as everywhere: session, wallet, stats.
 */
const creditSql = (scope: string) => `
  with due as (
    update mining_sessions s set
      "creditedIntervals" = s."creditedIntervals" + 1,
      "lastRewardTime" = ${NEXT_INTERVAL_END},
      "creditedAt" = clock_timestamp(),
      "lastRewardAmount" = ${TESP_EARNED} - s.reward,
      reward = ${TESP_EARNED},
      "lastUsdtAmount" = ${USDT_EARNED} - s."usdtReward",
      "usdtReward" = ${USDT_EARNED}
    where ${DUE} and ${scope}
    returning s.id, s."userId", s."creditedIntervals" as n, s."lastRewardTime" as "at",
      s."lastRewardAmount" as tesp, s."lastUsdtAmount" as usdt, ${DUE} as "hasMore"
  ), paid as (
    update wallets w set balance = w.balance + due.tesp from due where w."userId" = due."userId"
    returning due.id, due."userId", due.n, due."at", due.tesp, w.id as "walletId", w.balance
  ), written as (
    insert into wallet_activity
      (id, "userId", "walletId", type, amount, "tokenType", description, "createdAt", "balanceAfter")
    -- A member without a wallet makes the statement fail here, so that no session advances unpaid.
    select ${ledgerIdSql('credit', { sessionId: 'due.id', n: 'due.n' })}, due."userId",
      paid."walletId", 'mining_reward', due.tesp, 'TESP', 'Automatic mining credit', due."at",
      paid.balance
    from due left join paid on paid.id = due.id
  ), shared as (
    update mining_stats m set "pendingUsdtRewards" = m."pendingUsdtRewards" + due.usdt
    from due where m."userId" = due."userId" and due.usdt > 0
  ), counted as (
    update network_counters set "ledgerRows" = "ledgerRows" + t.total
    from (select count(*) as total from paid) t where bucket = :bucket and t.total > 0
  ), hours as (
    insert into network_hours (hour, bucket, credits)
    select date_trunc('hour', "at", 'UTC'), :bucket, count(*) from paid group by 1
    on conflict (hour, bucket) do update
      set credits = network_hours.credits + excluded.credits
  )
  select id as "sessionId", "userId", n, "hasMore" from due`

const SHARD_SQL = creditSql('s.shard = :shard and s."creditSlot" between :from and :to')
const SESSIONS_SQL = creditSql('s.shard = :shard and s.id = any(:sessionIds)')
const SESSION_SQL = creditSql('s.id = :sessionId')

/**
 * Credits the next interval of each session in scope that has one due at `now` (product time in ms;
 * the database's own when absent). One call credits one interval a session: a session that missed
 * ten intervals needs ten calls, which `hasMore` tells without another call.
 */
export async function creditIntervals(db: Db, scope: CreditScope, now?: number): Promise<Credit[]> {
  const sql = 'from' in scope ? SHARD_SQL : 'sessionIds' in scope ? SESSIONS_SQL : SESSION_SQL
  const bucket = 'shard' in scope ? scope.shard : memberBucket(scope.memberId)
  const at = now === undefined ? null : new Date(now)
  const { rows } = await db.raw(sql, { ...scope, bucket, now: at })
  return rows
}

/**
 * Credits every interval in scope that is due at `now`; returns the credits, oldest interval first.
 */
export async function creditAllDue(db: Db, scope: CreditScope, now?: number): Promise<Credit[]> {
  const credits: Credit[] = []
  for (;;) {
    const batch = await creditIntervals(db, scope, now)
    credits.push(...batch)
    if (!batch.some(({ hasMore }) => hasMore)) return credits
  }
}

/** The sessions of a range of slots that have an interval to credit now. */
export async function dueSessions(
  db: Db,
  range: { shard: number; from: number; to: number },
): Promise<{ sessionId: number; userId: number }[]> {
  const { rows } = await db.raw(
    `select s.id as "sessionId", s."userId" from mining_sessions s
     where ${DUE} and s.shard = :shard and s."creditSlot" between :from and :to order by s.id`,
    { ...range, now: null },
  )
  return rows
}
