import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { insertMembers } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'

/** Readers of the sessions that `dueSessions` inserted. */
export type DueSessions = {
  /** How many are not credited for both intervals yet. */
  uncredited(): Promise<number>
  /** Credited intervals of the session that has fewest. */
  fewestCredits(): Promise<number>
}

/** Inserts sessions with two due intervals. */
export async function dueSessions(db: Db, sessions = 200): Promise<DueSessions> {
  const startedAt = startedBefore(await productNow(db), 2)
  const members = await insertMembers(db, sessions)
  const ids = await insertSessions(
    db,
    members.map((userId) => ({ userId, startedAt })),
  )
  const credits = (): Promise<number[]> =>
    db('mining_sessions').whereIn('id', ids).pluck('creditedIntervals')
  return {
    uncredited: async () => (await credits()).filter((credited) => credited < 2).length,
    fewestCredits: async () => Math.min(...(await credits())),
  }
}
