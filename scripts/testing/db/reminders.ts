import type { Db } from '#db/postgres/statements/transaction'
import { INTERVALS, SESSION_MS } from '#rules/constants'
import { insertSessions } from './sessions.ts'

/** Switches a member's reminders by mail on. */
export async function wantMail(db: Db, userId: number, language = 'en'): Promise<void> {
  await db('reminder_preferences').insert({ userId, mail: true, language })
}

/**
 * Inserts sessions whose 72 intervals are credited and whose 24 hours are over since `lateMs`: the next
 * end of sessions completes them. `now` is product time, ms.
 */
export async function insertFinished(
  db: Db,
  userIds: number[],
  now: number,
  lateMs = 0,
): Promise<number[]> {
  const startedAt = now - SESSION_MS - lateMs
  const ids = await insertSessions(
    db,
    userIds.map((userId) => ({ userId, startedAt })),
  )
  await db('mining_sessions').whereIn('id', ids).update({ creditedIntervals: INTERVALS })
  return ids
}
