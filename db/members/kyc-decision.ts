import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import type { Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'
import { decideDocument } from './kyc.ts'

/** Longest reason of a rejection; the member reads it on the Account screen. */
export const REASON_CHARACTERS = 300

/** An operator's decision; a rejection needs a reason, which the member reads. */
export type Decision =
  | { id: number; accepted: true }
  | { id: number; accepted: false; reason: string }

/** What mails about a decision depend on; `origin` is the public URL of the product, if known. */
export type DecisionMails = { dataKey: Buffer; origin: string | undefined }

function reasonOf(decision: Decision): string {
  if (decision.accepted) return ''
  const reason = decision.reason.trim().replace(/\s+/g, ' ')
  if (reason === '' || reason.length > REASON_CHARACTERS) {
    throw new RuleError(
      'bad_input',
      `The reason must have 1 to ${REASON_CHARACTERS} characters; the member reads it`,
    )
  }
  return reason
}

/**
 * Decides on a document and writes the mail about it in the same transaction, so that a decision
 * has exactly one mail in the outbox.
 * @returns ids of the member and of the mail
 * @throws {RuleError} `not_found` for an unknown or decided document, `bad_input` for a bad reason
 */
export async function decideAndNotify(
  tx: Tx,
  decision: Decision,
  { dataKey, origin }: DecisionMails,
): Promise<{ memberId: number; mailId: number; reason: string }> {
  const reason = reasonOf(decision)
  const memberId = await decideDocument(tx, decision.id, decision.accepted, reason)
  const { email, language } = await tx('users').where({ id: memberId }).first('email', 'language')
  const texts = mailTexts(language)
  const text = decision.accepted ? texts.identityAccepted() : texts.identityRejected(reason, origin)
  return { memberId, mailId: await enqueueMail(tx, dataKey, { to: email, ...text }), reason }
}
