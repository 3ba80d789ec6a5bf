import { open, seal } from '#db/seal'
import type { Db, Tx } from '#db/transaction'
import { RuleError } from '#rules/rule-error'

const PURPOSE = 'kyc document'

/** A document as a member hands it in; its kind is what its bytes are. */
export type KycDocument = {
  documentType: string
  mime: 'image/jpeg' | 'image/png' | 'application/pdf'
  bytes: Buffer
}

/**
 * Takes a document for review: the member's status becomes `pending`.
 * @throws {RuleError} `kyc_not_open` unless the member is unverified
 */
export async function submitDocument(
  tx: Tx,
  dataKey: Buffer,
  memberId: number,
  { documentType, mime, bytes }: KycDocument,
): Promise<void> {
  const opened = await tx('users')
    .where({ id: memberId, kycStatus: 'unverified' })
    .update({ kycStatus: 'pending', kycDocumentType: documentType })
  if (opened !== 1) {
    throw new RuleError('kyc_not_open', 'Your documents have been submitted already')
  }
  const [row] = await tx('kyc_documents')
    .insert({ userId: memberId, documentType, mime, sealed: seal(dataKey, PURPOSE, bytes) })
    .returning('id')
  await tx('users')
    .where({ id: memberId })
    .update({ kycDocumentUrl: `kyc:${row.id}` })
}

/** Documents that wait for a decision, oldest first. */
export async function waitingDocuments(db: Db) {
  return db('kyc_documents as d')
    .join('users as u', 'u.id', 'd.userId')
    .whereNull('d.decidedAt')
    .orderBy('d.id')
    .select('d.id', 'd.userId', 'u.username', 'd.documentType', 'd.mime', 'd.createdAt')
}

/** The bytes of a document, for an operator. */
export async function readDocument(db: Db, dataKey: Buffer, id: number): Promise<Buffer> {
  const row = await db('kyc_documents').where({ id }).first('sealed')
  if (!row?.sealed) throw new RuleError('not_found', 'There is no such document')
  return open(dataKey, PURPOSE, row.sealed)
}

/**
 * Decides about a document: `verified`, or back to `unverified` with a reason.
 * @returns the member whose status changed
 * @throws {RuleError} `not_found` for one that is unknown or decided
 */
export async function decideDocument(
  tx: Tx,
  id: number,
  accepted: boolean,
  reason: string,
): Promise<number> {
  const [row] = await tx('kyc_documents')
    .where({ id, decidedAt: null })
    .update({ decidedAt: tx.fn.now(), accepted, reason })
    .returning('userId')
  if (!row) throw new RuleError('not_found', 'There is no such document to decide about')
  await tx('users')
    .where({ id: row.userId })
    .update({
      kycStatus: accepted ? 'verified' : 'unverified',
      kycVerifiedAt: accepted ? tx.fn.now() : null,
    })
  return row.userId
}
