import { prepared } from '#db/postgres/statements/prepared'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import type { Money } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import type { Activity } from '#rules/snapshots'
import { creditSteps } from './credit-sql.ts'
import { COUNTER_SQL, type Counter, memberCounter } from './network-counters.ts'
import { oneOfSessionsSql, type SessionKey, sessionKeys } from './session-keys.ts'

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
    insert into ledger_facts (shard, id, "createdAt") values (:shard, :id, :at)
    on conflict do nothing returning id
  ), paid as (
    update wallets set ${balance} = ${balance} + :amount from fact
    where shard = :shard and "userId" = :userId
    returning wallets.id as "walletId", ${balance} as "balanceAfter"
  ), counted as (
    update network_counters set "ledgerRows" = "ledgerRows" + 1 from paid
    where ${COUNTER_SQL}
  ), logged as (
    insert into member_changes ("userId") select :userId::integer from paid
  )
  insert into wallet_activity
    (shard, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
      "balanceAfter")
  select :shard, :id, :userId, "walletId", :type, :amount, :token, :description, :at, "balanceAfter"
  from paid returning id`

const POST_SQL = { TESP: postSql('balance'), USDT: postSql('"usdtBalance"') }

/**
 * Changes a balance together with its ledger row. Only this function and `creditSteps` change balances
 * (rules.md: Money).
 * @throws {RuleError} `already_posted` for an id that was paid before, `insufficient_balance` when
 * the balance would fall below zero
 */
export async function post(tx: Tx, posting: Posting): Promise<void> {
  const { token, userId } = posting
  const keys = { shard: bucketOf(userId), ...memberCounter(userId) }
  const bindings = { ...posting, ...keys, at: new Date(posting.at) }
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

/** Which sessions to credit: some, counted in a row of `network_counters`, or one member's. */
export type CreditScope =
  | { sessions: SessionKey[]; counter: Counter }
  | { sessionId: number; memberId: number }

const NOW = 'coalesce(:now::timestamptz, (select product_now()))'

const creditSql = (scope: string, before = '') => `
  with ${before} ${creditSteps(NOW, scope)}
  select id as "sessionId", "userId", n, "hasMore" from due`

/** Locks in the order of keys: two workers with the same sessions would lock in the order of their plans. */
const LOCKED = `
  locked as materialized (
    select shard, id from mining_sessions where ${oneOfSessionsSql('shard', 'id')}
    order by shard, id for update
  ),`
const SESSIONS_SQL = creditSql('(s.shard, s.id) in (select shard, id from locked)', LOCKED)
const SESSION_SQL = creditSql('s.shard = :shard and s.id = :sessionId')

/**
 * Credits the next interval of each session in scope that has one due at `now` (product time in ms;
 * the database's own when absent). One call credits one interval a session; `hasMore` is true if it
 * needs another one. The workers sweep by `sweepBatch` of #db/mining/sweep.
 */
export async function creditIntervals(db: Db, scope: CreditScope, now?: number): Promise<Credit[]> {
  const at = now === undefined ? null : new Date(now)
  if ('sessions' in scope) {
    const { sessions, counter } = scope
    const bindings = { ...sessionKeys(sessions), ...counter, now: at }
    const { rows } = await db.raw(SESSIONS_SQL, bindings)
    return rows
  }
  const { sessionId, memberId } = scope
  const keys = { shard: bucketOf(memberId), ...memberCounter(memberId) }
  const bindings = { sessionId, ...keys, now: at }
  const { rows } = await prepared(db, 'credit-session', SESSION_SQL, bindings)
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
