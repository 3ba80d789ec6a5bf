import type { Tx } from '#db/postgres/transaction'
import { lockSignedIn, type SignIn } from './member-lock.ts'
import type { MemberRow } from './members.ts'

/** What a new sign-in or the mail about a change needs of a member. */
export type EpochOwner = Pick<MemberRow, 'id' | 'email' | 'authEpoch' | 'language'>

async function raiseEpoch(tx: Tx, memberId: number, changes = {}): Promise<EpochOwner> {
  const [member] = await tx('users')
    .where({ id: memberId })
    .update({ ...changes, authEpoch: tx.raw('"authEpoch" + 1') })
    .returning(['id', 'email', 'authEpoch', 'language'])
  return member
}

/**
 * Ends every sign-in of the member by raising the epoch; the caller renews the one that asked.
 * @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile
 */
export async function endSignIns(tx: Tx, signIn: SignIn): Promise<EpochOwner> {
  await lockSignedIn(tx, signIn)
  return raiseEpoch(tx, signIn.memberId)
}

/**
 * Sets a new password and ends every sign-in of the member; the caller has confirmed the old
 * password, holds the member's lock and renews the sign-in that asked.
 */
export async function changePassword(
  tx: Tx,
  memberId: number,
  passwordHash: string,
): Promise<EpochOwner> {
  return raiseEpoch(tx, memberId, { password: passwordHash })
}
