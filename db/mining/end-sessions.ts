import { bucketBindings, inList } from '#db/ledger/buckets-sql'
import { logChange } from '#db/ledger/log-change'
import { memberCounter, sweepCounter } from '#db/ledger/network-counters'
import { oneOfSessionsSql, type SessionKey, sessionKeys } from '#db/ledger/session-keys'
import { sweepScopes } from '#db/ledger/sweep-ranges'
import { productNow } from '#db/postgres/connection/product-clock'
import {
  type BucketOrRange,
  type BucketStatement,
  runForBucket,
} from '#db/postgres/statements/bucket-statement'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { type Ended, queueReminders } from '#db/reminders/queue'
import { ALL_BUCKETS, type BucketRange, bucketOf } from '#rules/buckets'
import { SESSION_MS } from '#rules/constants'
import { endStatement, FULLY_CREDITED } from './end-sql.ts'

const OVER = 's."startTime" <= :startedBy::timestamptz'
const END_RANGE = endStatement('end-sessions', OVER)
const END_MANY = endStatement('end-these-sessions', oneOfSessionsSql('s.bucket', 's.id'))
const END_ONE = endStatement(
  'end-session',
  's.bucket = :bucket::smallint and s.id = :sessionId::bigint',
)
const FINISHED_SQL = `
  select s.id as "sessionId", s."userId" from mining_sessions s
  where ${FULLY_CREDITED} and ${OVER} and ${inList('s.bucket')}`

const startedBy = async (db: Db) => new Date((await productNow(db)) - SESSION_MS)

/** Ends sessions of a bucket or range, queues their reminders and logs the change; returns the ids of their members. */
async function end(
  tx: Tx,
  place: BucketOrRange,
  statement: BucketStatement,
  values: Record<string, unknown>,
): Promise<number[]> {
  const [ended] = await runForBucket<Ended>(tx, place, statement, values)
  if (!ended) throw new Error('an end of sessions returned no row')
  await queueReminders(tx, ended)
  await logChange(tx, ...ended.userIds)
  return ended.userIds
}

/**
 * Completes sessions whose 72 intervals are credited: those of one of `sweepScopes`, by default of all
 * members.
 * @returns the ids of their members
 */
export async function endSessions(db: Db, scope: BucketRange = ALL_BUCKETS): Promise<number[]> {
  const before = { startedBy: await startedBy(db) }
  const ended: number[] = []
  for (const one of scope.list ? [scope] : await sweepScopes(db)) {
    const values = { ...sweepCounter(one), ...before }
    ended.push(...(await db.transaction((tx) => end(tx, one, END_RANGE, values))))
  }
  return ended
}

/** Completes one session if its 72 intervals are credited. */
export function endSession(tx: Tx, { id, userId }: { id: number; userId: number }) {
  const bucket = bucketOf(userId)
  return end(tx, bucket, END_ONE, { bucket, sessionId: id, ...memberCounter(userId) })
}

/** Completes these sessions only, to isolate one that breaks the statement for all. */
export function endTheseSessions(
  db: Db,
  sessions: SessionKey[],
  scope: BucketRange = ALL_BUCKETS,
): Promise<number[]> {
  const values = { ...sessionKeys(sessions), ...sweepCounter(scope) }
  return db.transaction((tx) => end(tx, scope, END_MANY, values))
}

/** The sessions that `endSessions` would end. */
export async function finishedSessions(
  db: Db,
  scope: BucketRange = ALL_BUCKETS,
): Promise<SessionKey[]> {
  const values = { ...bucketBindings(scope), startedBy: await startedBy(db) }
  return (await db.raw(FINISHED_SQL, values)).rows
}
