import { writeInbox } from '#db/inbox/inbox'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { API_TEXTS } from '#rules/api-texts'
import { dayText } from '#rules/duration-text'
import type { IdentityCheck } from '#rules/members/account-snapshots'
import { RuleError } from '#rules/rule-error'
import { decrypt, encrypt } from '#runtime/secrets/encryption'
import { lockMember } from './execute-once.ts'

const PURPOSE = 'kyc document'

/** A submitted document; `mime` is detected from its bytes. */
export type KycDocument = {
  documentType: string
  mime: 'image/jpeg' | 'image/png' | 'application/pdf'
  bytes: Buffer
}

/** Stores an encrypted document; the member is `pending`. @throws {RuleError} `kyc_not_open` unless unverified */
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

/** A document without its content, with its member. */
export type DocumentRow = {
  id: number
  userId: number
  username: string
  fullName: string | null
  documentType: string
  mime: KycDocument['mime']
  createdAt: Date
  decidedAt: Date | null
  accepted: boolean | null
  reason: string | null
  deletedAt: Date | null
}

const documentsOf = (db: Db) => db('kyc_documents as d').join('users as u', 'u.id', 'd.userId')

/** The newest documents, decided or not; `match` narrows them to one, or to those of a member. */
export async function newestDocuments(
  db: Db,
  limit: number,
  match: { 'd.id'?: number; 'd.userId'?: number } = {},
): Promise<DocumentRow[]> {
  return documentsOf(db)
    .where(match)
    .orderBy('d.id', 'desc')
    .limit(limit)
    .select('d.id', 'd.userId', 'd.documentType', 'd.mime', 'd.createdAt', 'd.decidedAt')
    .select('d.accepted', 'd.reason', 'd.deletedAt', 'u.username', 'u.fullName')
}

/** A document's decision, and whether its bytes are still stored, as text for operators. */
export function documentState({ decidedAt, accepted, reason, deletedAt }: DocumentRow): string {
  if (!decidedAt) return 'waits for a decision'
  const decision = accepted ? 'accepted' : `rejected (${reason})`
  const held = deletedAt ? `document deleted on ${dayText(deletedAt)}` : 'document still held'
  return `${decision} on ${dayText(decidedAt)}, ${held}`
}

/** Undecided documents, oldest first; in pages, those behind an id. */
export async function waitingDocuments(db: Db, page?: { after: number; limit: number }) {
  const documents = documentsOf(db).whereNull('d.decidedAt').orderBy('d.id')
  if (page) documents.where('d.id', '>', page.after).limit(page.limit)
  const columns = ['userId', 'documentType', 'mime', 'createdAt'].map((column) => `d.${column}`)
  return documents.select('d.id', 'u.username', ...columns)
}

/** Why the member's newest document was rejected; null unless it was. */
export async function lastRejection(db: Db, memberId: number): Promise<IdentityCheck['rejection']> {
  const row: DocumentRow | undefined = await db('kyc_documents')
    .where({ userId: memberId })
    .orderBy('id', 'desc')
    .first('accepted', 'reason', 'decidedAt')
  if (!row?.decidedAt || row.accepted) return null
  return { reason: row.reason ?? '', decidedAt: row.decidedAt.toISOString() }
}

/** The bytes of a document. @throws {RuleError} `not_found` for an unknown one, or one past its retention */
export async function readDocument(db: Db, dataKey: Buffer, id: number): Promise<Buffer> {
  const row = await db('kyc_documents').where({ id }).first('sealed', 'deletedAt')
  if (!row?.sealed) {
    const deleted = row?.deletedAt && `The document was deleted on ${dayText(row.deletedAt)}`
    throw new RuleError('not_found', deleted || API_TEXTS.documentUnknown)
  }
  return decryptDocument(dataKey, row.sealed)
}

/** Decrypts a document's bytes. */
export function decryptDocument(dataKey: Buffer, sealed: Buffer): Buffer {
  return decrypt(dataKey, PURPOSE, sealed)
}

/** Deletes the bytes of documents decided at least `days` ago; rows stay for operators. Returns their number. */
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

/** Longest reason of a rejection; the member reads it on the Account screen. */
export const REASON_CHARACTERS = 300

/** An operator's decision; a rejection needs a reason, which the member reads. */
export type Decision =
  | { id: number; accepted: true }
  | { id: number; accepted: boolean; reason: string }

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
 * Decides on a document: its member becomes `verified`, or `unverified` again. Writes the mail in the same
 * transaction, so that a decision has exactly one.
 * @returns id of the member
 * @throws {RuleError} `not_found` for an unknown or decided document, `bad_input` for a bad reason
 */
export async function decideAndNotify(
  tx: Tx,
  decision: Decision,
  { dataKey, origin }: { dataKey: Buffer; origin: string | undefined },
): Promise<number> {
  const { id, accepted } = decision
  const reason = reasonOf(decision)
  const document = await tx('kyc_documents').where({ id }).first('userId')
  if (document) await lockMember(tx, document.userId)
  const decided = await tx('kyc_documents')
    .where({ id, decidedAt: null })
    .update({ decidedAt: tx.fn.now(), accepted, reason })
  if (decided === 0) throw new RuleError('not_found', 'There is no such document to decide about')
  const memberId: number = document.userId
  const identity = {
    kycStatus: accepted ? 'verified' : 'unverified',
    kycVerifiedAt: accepted ? tx.fn.now() : null,
  }
  const [{ email, language }] = await tx('users')
    .where({ id: memberId })
    .update(identity)
    .returning(['email', 'language'])
  const facts = { accepted, reason }
  await writeInbox(tx, { memberId, kind: 'identity-decided', fact: id, facts })
  const texts = mailTexts(language)
  const text = accepted ? texts.identityAccepted() : texts.identityRejected(reason, origin)
  await enqueueMail(tx, dataKey, { to: email, ...text })
  return memberId
}
