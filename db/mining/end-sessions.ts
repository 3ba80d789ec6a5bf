import type { Knex } from 'knex'
import { durationSql } from '#db/ledger/credits/interval-sql'
import { memberCounter } from '#db/ledger/network-counters'
import { oneOfSessionsSql, type SessionKey, sessionKeys } from '#db/ledger/session-keys'
import { isDistributed } from '#db/postgres/connection/layout'
import type { Db } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS, type BucketRange, bucketOf } from '#rules/buckets'
import { SESSION_MS } from '#rules/constants'
import { splitEnd } from './citus/end-sessions.ts'
import { endSql, FULLY_CREDITED } from './end-sql.ts'

const OVER = `"startTime" <= (select product_now()) - ${durationSql(SESSION_MS)}`
const END_ALL_SQL = endSql(OVER)
const END_MANY_SQL = endSql(oneOfSessionsSql('shard', 'id'))
const END_ONE_SQL = endSql('shard = :shard and id = :sessionId')

/** Returns the ids of the members whose sessions ended. */
async function end(db: Db, sql: string, values: Record<string, Knex.RawBinding>) {
  const { rows } = await db.raw(sql, values)
  return rows.map(({ userId }: { userId: number }): number => userId)
}

/**
 * Completes sessions whose 72 intervals are credited: those of one of `sweepScopes`, by default of all
 * members.
 * @returns the ids of their members
 */
export async function endSessions(db: Db, scope: BucketRange = ALL_BUCKETS): Promise<number[]> {
  if (await isDistributed(db)) return splitEnd.range(db, scope)
  return end(db, END_ALL_SQL, memberCounter(0))
}

/** Completes one session if its 72 intervals are credited. */
export async function endSession(
  db: Db,
  session: { id: number; userId: number },
): Promise<number[]> {
  if (await isDistributed(db)) return splitEnd.one(db, session)
  const { id: sessionId, userId } = session
  return end(db, END_ONE_SQL, { shard: bucketOf(userId), sessionId, ...memberCounter(userId) })
}

/** Completes these sessions only, to isolate one that breaks the statement for all. */
export async function endTheseSessions(
  db: Db,
  sessions: SessionKey[],
  scope: BucketRange = ALL_BUCKETS,
): Promise<number[]> {
  if (await isDistributed(db)) return splitEnd.these(db, sessions, scope)
  return end(db, END_MANY_SQL, { ...sessionKeys(sessions), ...memberCounter(0) })
}

/** The sessions that `endSessions` would end. */
export async function finishedSessions(
  db: Db,
  scope: BucketRange = ALL_BUCKETS,
): Promise<SessionKey[]> {
  if (await isDistributed(db)) return splitEnd.finished(db, scope)
  const { rows } = await db.raw(
    `select id as "sessionId", "userId" from mining_sessions
     where ${FULLY_CREDITED} and ${OVER}`,
  )
  return rows
}
