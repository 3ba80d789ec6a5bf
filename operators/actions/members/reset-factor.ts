import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { lockMember } from '#db/members/member-lock'
import { removeAuthenticator } from '#db/members/second-factor/second-factor'
import type { Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'

/** What the mail about a reset depends on; `origin` is the public URL of the product, if known. */
export type ResetMail = { dataKey: Buffer; origin: string | undefined }

/**
 * Switches off the one-time codes of a member who lost the app and the recovery codes, and writes the
 * mail about it. Passkeys and sign-ins stay.
 * @returns id of the mail
 * @throws {RuleError} `second_factor_off`
 */
export async function resetFactor(
  tx: Tx,
  memberId: number,
  { dataKey, origin }: ResetMail,
): Promise<number> {
  await lockMember(tx, memberId)
  if (!(await removeAuthenticator(tx, memberId))) {
    throw new RuleError('second_factor_off', 'The member uses no one-time codes')
  }
  const { email, language } = await tx('users').where({ id: memberId }).first('email', 'language')
  return enqueueMail(tx, dataKey, { to: email, ...mailTexts(language).factorReset(origin) })
}
