import type { Tx } from '#db/postgres/statements/transaction'
import { keepSubscription } from '#db/reminders/push-subscriptions'
import { emailKey } from '#rules/members/usernames-and-emails'
import { type CodeTry, tryCode } from './email-codes.ts'
import { lockSignedIn, notSignedIn, type SignIn } from './execute-once.ts'
import type { MemberRow } from './members.ts'

/** What a new sign-in or the mail about a change needs of a member. */
export type EpochOwner = Pick<MemberRow, 'id' | 'email' | 'authEpoch' | 'language'>

/** Raises the epoch of a member, which ends every sign-in. */
async function raiseEpoch(tx: Tx, whose: object, changes = {}): Promise<EpochOwner | undefined> {
  const [member] = await tx('users')
    .where(whose)
    .update({ ...changes, authEpoch: tx.raw('"authEpoch" + 1') })
    .returning(['id', 'email', 'authEpoch', 'language'])
  return member
}

/**
 * As `raiseEpoch`, but compares the epoch again: a reset by mail takes no lock of the member, and who held the
 * old password must not undo it. @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile
 */
async function raiseOwnEpoch(tx: Tx, signIn: SignIn, changes = {}): Promise<EpochOwner> {
  const whose = { id: signIn.memberId, authEpoch: signIn.epoch ?? -1 }
  const member = await raiseEpoch(tx, whose, changes)
  if (!member) throw notSignedIn()
  return member
}

/** Ends every sign-in; the caller renews the one that asked (`keptSignIn`). @throws {RuleError} `not_signed_in` */
export async function endSignIns(tx: Tx, signIn: SignIn, keptSignIn?: string): Promise<EpochOwner> {
  await lockSignedIn(tx, signIn)
  if (keptSignIn) await keepSubscription(tx, signIn.memberId, keptSignIn)
  return raiseOwnEpoch(tx, signIn)
}

/**
 * Sets a new password and ends every sign-in; the caller has confirmed the old one, holds the member's lock and
 * renews the sign-in that asked (`keptSignIn`). @throws {RuleError} `not_signed_in`
 */
export async function changePassword(
  tx: Tx,
  signIn: SignIn,
  { passwordHash, keptSignIn }: { passwordHash: string; keptSignIn: string | undefined },
): Promise<EpochOwner> {
  if (keptSignIn) await keepSubscription(tx, signIn.memberId, keptSignIn)
  return raiseOwnEpoch(tx, signIn, { password: passwordHash })
}

type PasswordReset = { email: string; otp: string; passwordHash: string; browserId: string }

/**
 * Sets a new password if the code is right. A wrong try must be committed, so it is a return value and no error.
 * @returns the member with the new epoch, undefined for an unregistered address, or why the code was rejected
 */
export async function resetPassword(
  tx: Tx,
  dataKey: Buffer,
  { email, otp, passwordHash, browserId }: PasswordReset,
): Promise<EpochOwner | undefined | Exclude<CodeTry, 'right'>> {
  // Before the codes, as a deletion locks them.
  await tx('users')
    .where({ emailKey: emailKey(email) })
    .forNoKeyUpdate()
    .first('id')
  const result = await tryCode(tx, dataKey, { email, purpose: 'reset', browserId }, otp)
  if (result !== 'right') return result
  return raiseEpoch(tx, { emailKey: emailKey(email) }, { password: passwordHash })
}
