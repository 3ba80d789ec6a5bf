import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { insertMembers } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'

const SESSIONS = 200

/** Inserts sessions with two due intervals; returns a reader of how many are not credited yet. */
export async function dueSessions(db: Db): Promise<() => Promise<number>> {
  const startedAt = startedBefore(await productNow(db), 2)
  const members = await insertMembers(db, SESSIONS)
  const ids = await insertSessions(
    db,
    members.map((userId) => ({ userId, startedAt })),
  )
  return async () => {
    const left = db('mining_sessions').whereIn('id', ids).where('creditedIntervals', '<', 2)
    return Number((await left.count('* as left').first())?.left)
  }
}
