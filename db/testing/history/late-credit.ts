import { expect } from 'vitest'
import { creditIntervals } from '#db/ledger/ledger'
import type { Db } from '#db/postgres/statements/transaction'
import { insertMember } from '#db/testing/members'
import { insertSessions, startedBefore } from '#db/testing/sessions'

/**
 * Credits one interval that ended at `endedAt` (product time, ms) now, to a new member whose session
 * gets no further credit.
 * @returns the member
 */
export async function lateCredit(db: Db, endedAt: number): Promise<number> {
  const memberId = await insertMember(db)
  const startedAt = startedBefore(endedAt, 1)
  const [sessionId = 0] = await insertSessions(db, [{ userId: memberId, startedAt }])
  expect(await creditIntervals(db, { sessionId, memberId })).toHaveLength(1)
  const quarantine = { quarantinedAt: new Date(), quarantineReason: 'one credit only' }
  await db('mining_sessions').where({ id: sessionId }).update(quarantine)
  return memberId
}
