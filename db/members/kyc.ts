import type { Db, Tx } from '#db/postgres/transaction'
import { decrypt, encrypt } from '#db/process/encryption'
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
    .insert({ userId: memberId, documentType, mime, sealed: encrypt(dataKey, PURPOSE, bytes) })
    .returning('id')
  await tx('users')
    .where({ id: memberId })
    .update({ kycDocumentUrl: `kyc:${row.id}` })
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)

/** A document without its bytes. */
export type DocumentRow = {
  id: number
  documentType: string
  mime: KycDocument['mime']
  createdAt: Date
  decidedAt: Date | null
  accepted: boolean | null
  reason: string | null
  deletedAt: Date | null
}

const COLUMNS = ['id', 'documentType', 'mime', 'createdAt', 'decidedAt', 'accepted', 'reason']

/** The newest documents of everybody, whatever became of them. */
export async function newestDocuments(
  db: Db,
  limit: number,
): Promise<(DocumentRow & { username: string })[]> {
  return db('kyc_documents as d')
    .join('users as u', 'u.id', 'd.userId')
    .orderBy('d.id', 'desc')
    .limit(limit)
    .select(...[...COLUMNS, 'deletedAt'].map((column) => `d.${column}`), 'u.username')
}

/** What became of a document, in words: decision, and whether its bytes are still held. */
export function documentState({ decidedAt, accepted, reason, deletedAt }: DocumentRow): string {
  if (!decidedAt) return 'waits for a decision'
  const decision = accepted ? 'accepted' : `rejected (${reason})`
  const held = deletedAt ? `document deleted on ${dayOf(deletedAt)}` : 'document still held'
  return `${decision} on ${dayOf(decidedAt)}, ${held}`
}

/** Documents that wait for a decision, oldest first. */
export async function waitingDocuments(db: Db) {
  return db('kyc_documents as d')
    .join('users as u', 'u.id', 'd.userId')
    .whereNull('d.decidedAt')
    .orderBy('d.id')
    .select('d.id', 'd.userId', 'u.username', 'd.documentType', 'd.mime', 'd.createdAt')
}

/**
 * The bytes of a document, for an operator or its owner.
 * @throws {RuleError} `not_found` for one that is unknown, or whose time was over
 */
export async function readDocument(db: Db, dataKey: Buffer, id: number): Promise<Buffer> {
  const row = await db('kyc_documents').where({ id }).first('sealed', 'deletedAt')
  if (!row?.sealed) {
    const deleted = row?.deletedAt && `The document was deleted on ${dayOf(row.deletedAt)}`
    throw new RuleError('not_found', deleted || 'There is no such document')
  }
  return openDocument(dataKey, row.sealed)
}

/** A document's bytes out of their sealed form. */
export function openDocument(dataKey: Buffer, sealed: Buffer): Buffer {
  return decrypt(dataKey, PURPOSE, sealed)
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

/**
 * Deletes the bytes of documents that were decided about `days` ago or earlier, in one statement.
 * The rows stay for the operators, with decision, time and reason; a document without a decision is
 * never touched.
 * @returns how many documents were deleted
 */
export async function deleteOldDocuments(db: Db, days: number): Promise<number> {
  const { rows } = await db.raw(
    `with gone as (
       update kyc_documents set sealed = null, "deletedAt" = now()
       where sealed is not null and "decidedAt" <= now() - :days * interval '1 day'
       returning id, "userId"
     ), unlinked as (
       update users u set "kycDocumentUrl" = null from gone
       where u.id = gone."userId" and u."kycDocumentUrl" = 'kyc:' || gone.id
     )
     select count(*) as count from gone`,
    { days },
  )
  return rows[0].count
}
