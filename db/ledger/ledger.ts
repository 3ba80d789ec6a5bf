import type { Knex } from 'knex'
import { isDistributed } from '#db/postgres/connection/layout'
import { productNow } from '#db/postgres/connection/product-clock'
import { prepared } from '#db/postgres/statements/prepared'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { type BucketRange, bucketOf } from '#rules/buckets'
import { RuleError } from '#rules/rule-error'
import { bucketBindings, inBucket, inList } from './citus/buckets-sql.ts'
import { creditSessions } from './citus/credit-sessions.ts'
import { type CreditStatements, creditStatements } from './citus/credit-statements.ts'
import { postInSteps } from './citus/post-in-steps.ts'
import type { Credit } from './credit.ts'
import { creditSteps } from './credit-sql.ts'
import { type Counter, memberCounter, sweepCounter } from './network-counters.ts'
import { POST_SQL, type Posting } from './posting.ts'
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
    const isPaid = (await isDistributed(tx))
      ? await postInSteps(tx, posting, bindings)
      : (await prepared(tx, `post-${token}`, POST_SQL[token], bindings)).rows.length === 1
    if (!isPaid) throw new RuleError('already_posted', 'This was paid already')
  } catch (error) {
    if (sqlState(error) !== CHECK_VIOLATION || !/alance_check/.test(String(error))) throw error
    throw new RuleError('insufficient_balance', 'The balance is too low for this')
  }
}

/** Which sessions to credit: some of one range of buckets, or one member's. */
export type CreditScope =
  | { sessions: SessionKey[]; range: BucketRange }
  | { sessionId: number; memberId: number }

const NOW = 'coalesce(:now::timestamptz, (select product_now()))'

const creditSql = (scope: string, before = '') => `
  with ${before} ${creditSteps(NOW, scope)}
  select id as "sessionId", "userId", n, "hasMore" from due`

/** Locks in the order of keys: two workers with the same sessions would lock in the order of their plans. */
const lockedSql = (sessions: string) => `
  locked as materialized (
    select shard, id from mining_sessions where ${sessions} order by shard, id for update
  ),`
const ONE_OF = oneOfSessionsSql('shard', 'id')
const IS_LOCKED = '(s.shard, s.id) in (select shard, id from locked)'
const SESSIONS_SQL = creditSql(IS_LOCKED, lockedSql(ONE_OF))
const SESSION_SQL = creditSql('s.shard = :shard and s.id = :sessionId')

/** The same on Citus, given the time. */
const SPLIT = {
  now: ':now::timestamptz',
  answer: `coalesce(json_agg(json_build_object('sessionId', id, 'userId', "userId", 'n', n,
    'hasMore', "hasMore")), '[]') as credits`,
}
const SPLIT_SESSIONS = creditStatements(
  {
    ...SPLIT,
    scope: IS_LOCKED,
    before: lockedSql(`${ONE_OF} and ${inList('shard')}`),
    credited: 's.id = any(:sessionIds::bigint[])',
  },
  inList,
)
const ONE = 's.id = :sessionId'
const SPLIT_SESSION = creditStatements(
  { ...SPLIT, scope: ONE, credited: ONE, name: 'credit-session' },
  inBucket,
)

/** Credits on Citus. */
async function splitCredit(
  db: Db,
  statements: CreditStatements,
  values: Record<string, Knex.RawBinding> & Counter,
): Promise<Credit[]> {
  return (await creditSessions<{ credits: Credit[] }>(db, statements, values)).credits
}

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
    if (isSplit) return splitCredit(db, SPLIT_SESSIONS, { ...bindings, ...bucketBindings(range) })
    return (await db.raw(SESSIONS_SQL, bindings)).rows
  }
  const { sessionId, memberId } = scope
  const bindings = { sessionId, shard: bucketOf(memberId), ...memberCounter(memberId), ...clock }
  if (isSplit) return splitCredit(db, SPLIT_SESSION, bindings)
  return (await prepared(db, 'credit-session', SESSION_SQL, bindings)).rows
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
