import { type DocumentRow, type KycDocument, readDocument } from '#db/members/kyc'
import { type Decision, decideAndNotify } from '#db/members/kyc-decision'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { recordAction } from '#operators/actions/actions'
import { notFound } from '#operators/actions/not-found'
import { queueMails } from '#operators/ops/redis'
import type { ReviewServices } from '#operators/review/services'

/** A document without its content, and its member's names. */
export async function documentWithMember(
  db: Db,
  id: number,
): Promise<DocumentRow & { userId: number; username: string; fullName: string | null }> {
  const document = await db('kyc_documents as d')
    .join('users as u', 'u.id', 'd.userId')
    .where('d.id', id)
    .select('d.id', 'd.userId', 'd.documentType', 'd.mime', 'd.createdAt', 'd.decidedAt')
    .select('d.accepted', 'd.reason', 'd.deletedAt', 'u.username', 'u.fullName')
    .first()
  if (!document) throw notFound('document')
  return document
}

/** The bytes of a document, decrypted in memory only; the view is logged before they are shown. */
export async function viewDocument(
  { db, config }: Pick<ReviewServices, 'db' | 'config'>,
  operator: string,
  id: number,
): Promise<{ bytes: Buffer; mime: KycDocument['mime'] }> {
  return inTransaction(db, async (tx) => {
    const { userId: memberId, mime } = await documentWithMember(tx, id)
    const bytes = await readDocument(tx, config.dataKey, id)
    const entry = { operator, action: 'kyc view', memberId, details: { document: id } }
    await recordAction(tx, { ...entry, reason: 'identity check' })
    return { bytes, mime }
  })
}

/**
 * Decides on a document, logs it and queues the mail.
 * @param reason for the log; of a rejection the member reads it
 * @throws {RuleError} `not_found` for a decided document, `bad_input` for a bad reason
 */
export async function decideDocumentAs(
  { db, config, redisUrl }: ReviewServices,
  operator: string,
  decision: Decision,
  reason: string,
): Promise<void> {
  const mails = { dataKey: config.dataKey, origin: config.publicOrigins[0] }
  const mailId = await inTransaction(db, async (tx) => {
    const decided = await decideAndNotify(tx, decision, mails)
    const action = decision.accepted ? 'kyc accept' : 'kyc reject'
    const { memberId } = decided
    const details = { document: decision.id }
    await recordAction(tx, { operator, action, memberId, details, reason })
    return decided.mailId
  })
  await queueMails({ config, redisUrl }, [mailId])
}
