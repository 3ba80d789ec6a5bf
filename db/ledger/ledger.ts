import type { Credit } from '#db/ledger/credits/credit'
import { creditSteps } from '#db/ledger/credits/credit-sql'
import { isDistributed } from '#db/postgres/connection/layout'
import { productNow } from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { type BucketRange, bucketOf } from '#rules/buckets'
import { RuleError } from '#rules/rule-error'
import { runOnShard, shardStatement } from './citus/on-shard.ts'
import { logChange } from './log-change.ts'
import { memberCounter, sweepCounter } from './network-counters.ts'
import { BY_WALLET } from './numbering.ts'
import { POST_ON_SHARD, POST_SQL, type Posting } from './posting.ts'
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
  const keys = { shard: bucketOf(userId), ...memberCounter(userId) }
  const bindings = { ...posting, ...keys, at: new Date(posting.at) }
  try {
    const rows = (await isDistributed(tx))
      ? await postOnShard(tx, posting, bindings)
      : (await prepared(tx, `post-${token}`, POST_SQL[token], bindings)).rows
    if (rows.length !== 1) throw new RuleError('already_posted', 'This was paid already')
  } catch (error) {
    if (sqlState(error) !== CHECK_VIOLATION || !/alance_check/.test(String(error))) throw error
    throw new RuleError('insufficient_balance', 'The balance is too low for this')
  }
}

/** On Citus. The change is logged beside it, on the coordinator; without an effect it does no harm. */
async function postOnShard(
  tx: Tx,
  { token, userId }: Posting,
  bindings: Record<string, unknown> & { shard: number },
): Promise<unknown[]> {
  const posted = runOnShard(tx, bindings.shard, POST_ON_SHARD[token], bindings)
  const [rows] = await Promise.all([posted, logChange(tx, userId)])
  return rows
}

/** Which sessions to credit: some of one range of buckets, or one member's. */
export type CreditScope =
  | { sessions: SessionKey[]; range: BucketRange }
  | { sessionId: number; memberId: number }

/** The time, or else the clock of the database, which the node of a shard does not have. */
const NOW = ':now::timestamptz'
const NOW_OR_CLOCK = `coalesce(${NOW}, (select product_now()))`

const ANSWER = 'select id as "sessionId", "userId", n, "hasMore" from due'
/** The sessions of a scope; `before` is a step that it reads. */
type Scope = { isIn: string; before?: string }
const creditSql = ({ isIn, before = '' }: Scope) =>
  `with ${before} ${creditSteps(NOW_OR_CLOCK, isIn)} ${ANSWER}`
const creditOnShard = ({ isIn, before = '' }: Scope) =>
  shardStatement('credit', {
    steps: `${before} ${creditSteps(NOW, isIn, BY_WALLET)}`,
    answer: ANSWER,
  })

/** Locks in the order of keys: two workers with the same sessions would lock in the order of their plans. */
const SESSIONS: Scope = {
  before: `
  locked as materialized (
    select shard, id from mining_sessions where ${oneOfSessionsSql('shard', 'id')}
    order by shard, id for update
  ),`,
  isIn: '(s.shard, s.id) in (select shard, id from locked)',
}
const SESSION: Scope = { isIn: 's.shard = :shard::smallint and s.id = :sessionId::bigint' }

const SQL = { sessions: creditSql(SESSIONS), session: creditSql(SESSION) }
const ON_SHARD = { sessions: creditOnShard(SESSIONS), session: creditOnShard(SESSION) }

/**
 * Credits the next interval of each session in scope that has one due at `now` (product time in ms;
 * the database's own when absent). One call credits one interval a session; `hasMore` is true if it
 * needs another one. The workers sweep by `sweepBatch` of #db/mining/sweep.
 */
export async function creditIntervals(db: Db, scope: CreditScope, now?: number): Promise<Credit[]> {
  const isSplit = await isDistributed(db)
  const at = now ?? (isSplit ? await productNow(db) : undefined)
  const clock = { now: at === undefined ? null : new Date(at) }
  if ('sessions' in scope) {
    const { sessions, range } = scope
    const bindings = { ...sessionKeys(sessions), ...sweepCounter(range), ...clock }
    if (isSplit) return runOnShard(db, range, ON_SHARD.sessions, bindings)
    return (await db.raw(SQL.sessions, bindings)).rows
  }
  const { sessionId, memberId } = scope
  const bindings = { sessionId, shard: bucketOf(memberId), ...memberCounter(memberId), ...clock }
  if (isSplit) return runOnShard(db, bindings.shard, ON_SHARD.session, bindings)
  return (await prepared(db, 'credit-session', SQL.session, bindings)).rows
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
