import { bucketStatement, type EngineFragments, engineOf } from '#db/engine/engine'
import { productNow } from '#db/postgres/connection/product-clock'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { type BucketRange, bucketOf } from '#rules/buckets'
import type { Money } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import type { Activity } from '#rules/snapshots'
import { oneOfSessionsSql, type SessionRef, sessionRefs } from './bucket-range-sql.ts'
import { type Credit, creditSteps } from './credit-sql.ts'
import { COUNTER_SQL, memberCounter, sweepCounter } from './network-counters.ts'

/** One change of one balance, and the fact that it pays for. */
export type Posting = {
  /** Names the fact, so that it is paid once (#rules/money/ledger-id): `task:7:join_telegram`. */
  id: string
  userId: number
  token: 'TESP' | 'USDT'
  amount: Money
  type: Activity['type']
  description: string
  /** Product time of the fact, ms. */
  at: number
}

/** The whole posting; returns no row for a fact that was paid before. */
function postSteps(balance: string, { next, returned, column, logged }: EngineFragments) {
  return {
    steps: `
  fact as (
    insert into ledger_facts (bucket, id, "createdAt")
    values (:bucket::smallint, :id::text, :at::timestamptz)
    on conflict do nothing returning id
  ), paid as (
    update wallets set ${balance} = ${balance} + :amount::numeric${next} from fact
    where bucket = :bucket::smallint and "userId" = :userId::integer
    returning wallets.id as "walletId", ${balance} as "balanceAfter"${returned}
  ), counted as (
    update network_counters set "ledgerRows" = "ledgerRows" + 1 from paid where ${COUNTER_SQL}
  )${logged}, written as (
    insert into wallet_activity
      (bucket, id, "userId", "walletId", type, amount, "tokenType", description, "createdAt",
        "balanceAfter"${column})
    select :bucket::smallint, :id::text, :userId::integer, "walletId", :type::text, :amount::numeric,
      :token::text, :description::text, :at::timestamptz, "balanceAfter"${column}
    from paid returning id
  )`,
    answer: 'select id from written',
  }
}

/** The statement that posts a row, for each token, whose balance is a column of `wallets`. */
export const POST = {
  TESP: bucketStatement('post-TESP', (fragments) => postSteps('balance', fragments)),
  USDT: bucketStatement('post-USDT', (fragments) => postSteps('"usdtBalance"', fragments)),
}

const CHECK_VIOLATION = '23514'

/**
 * Changes a balance together with its ledger row. Only this and a credit (`credit-sql.ts`) do (rules.md: Money).
 * @throws {RuleError} `already_posted` for an id that was paid before, `insufficient_balance` below zero
 */
export async function post(tx: Tx, posting: Posting): Promise<void> {
  const { token, userId } = posting
  const keys = { bucket: bucketOf(userId), ...memberCounter(userId) }
  const bindings = { ...posting, ...keys, at: new Date(posting.at) }
  try {
    const engine = await engineOf(tx)
    const posted = engine.runForBucket(tx, bindings.bucket, POST[token], bindings)
    // Sent before the outcome is known: a logged change without an effect does no harm.
    const [rows] = await Promise.all([posted, engine.logPollChange(tx, [userId])])
    if (rows.length !== 1) throw new RuleError('already_posted', 'This was paid already')
  } catch (error) {
    if (sqlState(error) !== CHECK_VIOLATION || !/alance_check/.test(String(error))) throw error
    throw new RuleError('insufficient_balance', 'The balance is too low for this')
  }
}

/** Which sessions to credit: some of one range of buckets, or one member's. */
export type CreditScope =
  | { sessions: SessionRef[]; range: BucketRange }
  | { sessionId: number; memberId: number }

/** SQL steps before the credit, and the condition of the sessions `s` in scope. */
type Scope = { before: string; isIn: string }
const credit = (name: string, { before, isIn }: Scope, plan?: { usesCustomPlan: boolean }) =>
  bucketStatement(
    name,
    (fragments) => ({
      steps: `${before} ${creditSteps(':now::timestamptz', isIn, fragments)}`,
      answer: 'select id as "sessionId", "userId", n, "hasMore" from due',
    }),
    plan,
  )

/** Locks in the order of keys: in the order of their plans, two workers with the same sessions could deadlock. */
const SESSIONS: Scope = {
  before: `
  locked as materialized (
    select bucket, id from mining_sessions where ${oneOfSessionsSql('bucket', 'id')}
    order by bucket, id for update
  ),`,
  isIn: '(s.bucket, s.id) in (select bucket, id from locked)',
}
const SESSION: Scope = {
  before: '',
  isIn: 's.bucket = :bucket::smallint and s.id = :sessionId::bigint',
}

const CREDIT_SESSIONS = credit('credit-sessions', SESSIONS, { usesCustomPlan: true })
const CREDIT_SESSION = credit('credit-session', SESSION)

/**
 * Credits the next interval of each session in scope that has one due at `now` (product time in ms; by default the
 * database's own); `hasMore` if another call is needed. Workers sweep by `Engine.sweepBatch`.
 */
export async function creditIntervals(db: Db, scope: CreditScope, now?: number): Promise<Credit[]> {
  const engine = await engineOf(db)
  const clock = { now: new Date(now ?? (await productNow(db))) }
  if ('sessions' in scope) {
    const { sessions, range } = scope
    const bindings = { ...sessionRefs(sessions), ...sweepCounter(range), ...clock }
    return engine.runForBucket(db, range, CREDIT_SESSIONS, bindings)
  }
  const { sessionId, memberId } = scope
  const bindings = { sessionId, bucket: bucketOf(memberId), ...memberCounter(memberId), ...clock }
  return engine.runForBucket(db, bindings.bucket, CREDIT_SESSION, bindings)
}

/** Credits every interval in scope that is due at `now`; returns the credits, oldest interval first. */
export async function creditAllDue(db: Db, scope: CreditScope, now?: number): Promise<Credit[]> {
  const credits: Credit[] = []
  for (;;) {
    const batch = await creditIntervals(db, scope, now)
    credits.push(...batch)
    if (!batch.some(({ hasMore }) => hasMore)) return credits
  }
}
