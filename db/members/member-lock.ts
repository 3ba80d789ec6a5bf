import type { Tx } from '#db/postgres/transaction'
import { RuleError } from '#rules/rule-error'

/** First key of the members' advisory locks; the second key is the member's id. */
const MEMBER_LOCK = 7_300_103

/** A sign-in: the member and the epoch (`users.authEpoch`) in which it was made. */
export type SignIn = { memberId: number; epoch: number | undefined }

/**
 * A statement after the lock, so that its snapshot contains the changes that the lock waited for.
 */
async function assertSignedIn(tx: Tx, { memberId, epoch }: SignIn): Promise<void> {
  const member = await tx('users').where({ id: memberId }).first('authEpoch')
  if (!member || member.authEpoch !== epoch) {
    throw new RuleError('not_signed_in', 'Please sign in')
  }
}

/**
 * Takes a shared lock on the member until commit, so that account deletion cannot run concurrently.
 * Take it before any other lock.
 * @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile
 */
export async function lockMemberShared(tx: Tx, signIn: SignIn): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock_shared(?, ?)', [MEMBER_LOCK, signIn.memberId])
  await assertSignedIn(tx, signIn)
}

/**
 * Takes the exclusive lock of account deletion: waits for running changes of the member and blocks
 * new ones until commit.
 * @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile
 */
export async function lockMemberExclusive(tx: Tx, signIn: SignIn): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(?, ?)', [MEMBER_LOCK, signIn.memberId])
  await assertSignedIn(tx, signIn)
}
