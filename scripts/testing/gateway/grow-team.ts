import { inTransaction } from '#db/postgres/statements/transaction'
import { applyReferralCode } from '#db/team/referrals'
import { insertMembers } from '#scripts/testing/db/members'
import type { Visitor } from './visitor.ts'

/** Adds that many members to a member's team, directly in the database. */
export async function growTeam(leader: Visitor, count: number): Promise<void> {
  const { db } = leader.product
  const code = await leader.referralCode()
  for (const id of await insertMembers(db, count)) {
    await inTransaction(db, (tx) => applyReferralCode(tx, id, code))
  }
}
