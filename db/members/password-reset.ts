import type { Tx } from '#db/postgres/statements/transaction'
import { emailKey } from '#rules/members/identity'
import { type CodeTry, tryCode } from './email-codes.ts'
import type { EpochOwner } from './password-change.ts'

/** A new password, and the code that authorises it. */
export type PasswordReset = {
  email: string
  otp: string
  passwordHash: string
  browserId: string
}

/**
 * Sets a new password when the code is right, and ends every sign-in of the member. A wrong try
 * must be committed, so it is a return value and not an error.
 * @returns the member with the new epoch, undefined for an unregistered e-mail address, or why the
 * code was rejected
 */
export async function resetPassword(
  tx: Tx,
  dataKey: Buffer,
  { email, otp, passwordHash, browserId }: PasswordReset,
): Promise<EpochOwner | undefined | Exclude<CodeTry, 'right'>> {
  const result = await tryCode(tx, dataKey, { email, purpose: 'reset', browserId }, otp)
  if (result !== 'right') return result
  const [member] = await tx('users')
    .where({ emailKey: emailKey(email) })
    .update({ password: passwordHash, authEpoch: tx.raw('"authEpoch" + 1') })
    .returning(['id', 'email', 'authEpoch', 'language'])
  return member
}
