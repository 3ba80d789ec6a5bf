import { enqueueMail, type Mail } from '#db/mails'
import type { Tx } from '#db/postgres/transaction'
import { NETWORK_NAME } from '#rules/constants'
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

const accountAt = (origin: string | undefined) =>
  origin ? `${origin}/account` : 'the Account screen'

function acceptedMail(to: string): Mail {
  return {
    to,
    subject: `${NETWORK_NAME}: your identity is verified`,
    text: `Your document has been accepted. Your identity is verified.`,
  }
}

function rejectedMail(to: string, reason: string, origin: string | undefined): Mail {
  return {
    to,
    subject: `${NETWORK_NAME}: your document was not accepted`,
    text: `Your document was not accepted:

    ${reason}

To try again, open ${accountAt(origin)}, choose KYC Verification and submit a
new document.`,
  }
}

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
  const { email } = await tx('users').where({ id: memberId }).first('email')
  const mail = decision.accepted ? acceptedMail(email) : rejectedMail(email, reason, origin)
  return { memberId, mailId: await enqueueMail(tx, dataKey, mail), reason }
}
