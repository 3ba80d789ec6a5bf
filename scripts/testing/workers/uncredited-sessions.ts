import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { insertMembersOf } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'

export type DueSessions = {
  count: number
  /** Time until the last of the intervals ends; negative if it has ended. */
  inMs: number
  /** 1 by default. */
  intervals?: number
}

/** Adds members of these buckets with one uncredited session each, and returns their ids. */
export async function insertDueSessions(
  db: Db,
  buckets: BucketRange,
  { count, inMs, intervals = 1 }: DueSessions,
): Promise<number[]> {
  const startedAt = startedBefore(await productNow(db), intervals) + inMs
  const members = await insertMembersOf(db, buckets, count)
  await insertSessions(
    db,
    members.map((userId) => ({ userId, startedAt })),
  )
  return members
}

/** Numbers of credited intervals of the members' sessions. */
export async function creditedIntervals(db: Db, members: number[]): Promise<number[]> {
  const rows = await db('mining_sessions').whereIn('userId', members)
  return rows.map(({ creditedIntervals }) => creditedIntervals)
}
