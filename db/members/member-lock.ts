import type { Tx } from '#db/postgres/transaction'
import { RuleError } from '#rules/rule-error'

/** First key of the advisory locks of members; the second one is the member's id. */
const MEMBER_LOCK = 7_300_103

/** A sign-in: the member and the epoch (`users.authEpoch`) that it belongs to. */
export type SignIn = { memberId: number; epoch: number | undefined }

/** The question comes after the lock, as a statement of its own: it sees what the lock waited for. */
async function assertSignedIn(tx: Tx, { memberId, epoch }: SignIn): Promise<void> {
  const member = await tx('users').where({ id: memberId }).first('authEpoch')
  if (!member || member.authEpoch !== epoch) {
    throw new RuleError('not_signed_in', 'Please sign in')
  }
}

/**
 * For whatever a member changes of themself: from here to the end of the transaction the member is
 * there. Such changes run side by side, but never beside the deletion of the member, so nothing is
 * written into a row that has just been emptied. Take it before any other lock.
 * @throws {RuleError} `not_signed_in` where the sign-in has ended meanwhile
 */
export async function lockMemberShared(tx: Tx, signIn: SignIn): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock_shared(?, ?)', [MEMBER_LOCK, signIn.memberId])
  await assertSignedIn(tx, signIn)
}

/**
 * For the deletion: waits for the member's changes that are under way, and keeps others out.
 * @throws {RuleError} `not_signed_in` where the sign-in has ended meanwhile
 */
export async function lockMemberExclusive(tx: Tx, signIn: SignIn): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(?, ?)', [MEMBER_LOCK, signIn.memberId])
  await assertSignedIn(tx, signIn)
}
