import { emailKey } from '#rules/identity'
import type { Db, Tx } from './postgres/transaction.ts'
import { decrypt, encrypt } from './process/encryption.ts'

/** A mail as it leaves: plain text. */
export type Mail = { to: string; subject: string; text: string }
/** A mail of the outbox table with its bookkeeping. */
export type StoredMail = Mail & { id: number; attempts: number; createdAt: Date }

/** Tries before a mail is given up and stands as failed for the operators. */
export const MAIL_TRIES = 8
const PURPOSE = 'mail'

/** Writes a mail into the outbox, its text sealed; the mail job sends it after the commit. */
export async function enqueueMail(tx: Tx, dataKey: Buffer, mail: Mail): Promise<number> {
  const [row] = await tx('mails')
    .insert({
      recipient: mail.to,
      recipientKey: emailKey(mail.to),
      subject: mail.subject,
      sealed: encrypt(dataKey, PURPOSE, Buffer.from(mail.text)),
    })
    .returning('id')
  return row.id
}

type MailRow = {
  id: number
  recipient: string
  subject: string
  sealed: Buffer | null
  attempts: number
  createdAt: Date
}

function opened(row: MailRow, dataKey: Buffer): StoredMail {
  const text = row.sealed ? decrypt(dataKey, PURPOSE, row.sealed).toString() : ''
  const { id, recipient: to, subject, attempts, createdAt } = row
  return { id, to, subject, text, attempts, createdAt }
}

/** A mail that still waits to be sent, or nothing. */
export async function waitingMail(
  db: Db,
  dataKey: Buffer,
  id: number,
): Promise<StoredMail | undefined> {
  const row = await db('mails').where({ id, sentAt: null, failedAt: null }).first()
  return row && opened(row, dataKey)
}

/** Ids of at most 500 unsent mails older than `olderThanMs`: their jobs were lost, as when Redis is wiped. */
export async function unsentMails(db: Db, olderThanMs: number): Promise<number[]> {
  return db('mails')
    .whereNull('sentAt')
    .whereNull('failedAt')
    .whereRaw(`"createdAt" < now() - ? * interval '1 millisecond'`, [olderThanMs])
    .orderBy('id')
    .limit(500)
    .pluck('id')
}

/** The mail was taken by the server; its text is forgotten unless an outbox is to show it. */
export async function markSent(db: Db, id: number, keepText: boolean): Promise<void> {
  const sealed = keepText ? {} : { sealed: null }
  await db('mails')
    .where({ id })
    .update({ sentAt: db.fn.now(), lastError: null, ...sealed })
}

/** Sending failed; after `MAIL_TRIES` tries, or `final`, the mail is given up. */
export async function markFailed(db: Db, id: number, error: string, final = false): Promise<void> {
  await db.raw(
    `update mails set attempts = attempts + 1, "lastError" = :error,
       "failedAt" = case when :final or attempts + 1 >= :tries then now() end
     where id = :id`,
    { id, error: error.slice(0, 500), final, tries: MAIL_TRIES },
  )
}

/** The newest mails with their texts, for the development outbox. */
export async function newestMails(db: Db, dataKey: Buffer, limit = 50): Promise<StoredMail[]> {
  const rows: MailRow[] = await db('mails').orderBy('id', 'desc').limit(limit)
  return rows.map((row) => opened(row, dataKey))
}

/** Mails that wait and mails that were given up: figures for the operators. */
export async function mailFigures(db: Db): Promise<{ waiting: number; failed: number }> {
  const { rows } = await db.raw(
    `select count(*) filter (where "failedAt" is null) as waiting,
       count("failedAt") as failed from mails where "sentAt" is null`,
  )
  return rows[0]
}

/** Mails that were sent a week ago, or given up a month ago, are forgotten. */
export async function deleteOldMails(db: Db): Promise<number> {
  return db('mails')
    .whereRaw(`"sentAt" < now() - interval '7 days'`)
    .orWhereRaw(`"failedAt" < now() - interval '30 days'`)
    .delete()
}

/** Forgets every mail to an address, by its key, those too that still wait. */
export async function deleteMailsTo(tx: Tx, recipientKey: string): Promise<void> {
  await tx('mails').where({ recipientKey }).delete()
}
