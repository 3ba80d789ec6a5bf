import type { Credit } from '#db/ledger/credits/credit'
import { creditSteps } from '#db/ledger/credits/credit-sql'
import { productNow } from '#db/postgres/connection/product-clock'
import { bucketStatement, runForBucket } from '#db/postgres/statements/bucket-statement'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { type BucketRange, bucketOf } from '#rules/buckets'
import { RuleError } from '#rules/rule-error'
import { logChange } from './log-change.ts'
import { memberCounter, sweepCounter } from './network-counters.ts'
import { POST, type Posting } from './posting.ts'
import { oneOfSessionsSql, type SessionKey, sessionKeys } from './session-keys.ts'

const CHECK_VIOLATION = '23514'

/**
 * Changes a balance together with its ledger row. Only this function and a credit, whose steps are in
 * `credit-sql.ts`, change balances (rules.md: Money).
 * @throws {RuleError} `already_posted` for an id that was paid before, `insufficient_balance` when
 * the balance would fall below zero
 */
export async function post(tx: Tx, posting: Posting): Promise<void> {
  const { token, userId } = posting
  const keys = { bucket: bucketOf(userId), ...memberCounter(userId) }
  const bindings = { ...posting, ...keys, at: new Date(posting.at) }
  try {
    const posted = runForBucket(tx, bindings.bucket, POST[token], bindings)
    // Without an effect the log does no harm.
    const [rows] = await Promise.all([posted, logChange(tx, userId)])
    if (rows.length !== 1) throw new RuleError('already_posted', 'This was paid already')
  } catch (error) {
    if (sqlState(error) !== CHECK_VIOLATION || !/alance_check/.test(String(error))) throw error
    throw new RuleError('insufficient_balance', 'The balance is too low for this')
  }
}

/** Which sessions to credit: some of one range of buckets, or one member's. */
export type CreditScope =
  | { sessions: SessionKey[]; range: BucketRange }
  | { sessionId: number; memberId: number }

/** SQL steps before the credit, and the condition of the sessions `s` in scope. */
type Scope = { before: string; isIn: string }
const credit = (name: string, { before, isIn }: Scope, plan?: { isPlannedAnew: boolean }) =>
  bucketStatement(
    name,
    (engine) => ({
      steps: `${before} ${creditSteps(':now::timestamptz', isIn, engine)}`,
      answer: 'select id as "sessionId", "userId", n, "hasMore" from due',
    }),
    plan,
  )

/** Locks in the order of keys: two workers with the same sessions would lock in the order of their plans. */
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

const CREDIT_SESSIONS = credit('credit-sessions', SESSIONS, { isPlannedAnew: true })
const CREDIT_SESSION = credit('credit-session', SESSION)

/**
 * Credits the next interval of each session in scope that has one due at `now` (product time in ms;
 * the database's own when absent). One call credits one interval a session; `hasMore` is true if it
 * needs another one. The workers sweep by `sweepBatch` of #db/mining/sweep.
 */
export async function creditIntervals(db: Db, scope: CreditScope, now?: number): Promise<Credit[]> {
  const clock = { now: new Date(now ?? (await productNow(db))) }
  if ('sessions' in scope) {
    const { sessions, range } = scope
    const bindings = { ...sessionKeys(sessions), ...sweepCounter(range), ...clock }
    return runForBucket(db, range, CREDIT_SESSIONS, bindings)
  }
  const { sessionId, memberId } = scope
  const bindings = { sessionId, bucket: bucketOf(memberId), ...memberCounter(memberId), ...clock }
  return runForBucket(db, bindings.bucket, CREDIT_SESSION, bindings)
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
