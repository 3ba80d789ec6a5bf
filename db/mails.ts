import { engineOf } from '#db/engine/engine'
import { memberKey } from '#rules/buckets'
import { REMINDER_LIFE_MS } from '#rules/members/reminders'
import { emailKey } from '#rules/members/usernames-and-emails'
import { decrypt, encrypt } from '#runtime/secrets/encryption'
import type { Db, Tx } from './postgres/statements/transaction.ts'

/** A mail to send. */
export type Mail = {
  to: string
  subject: string
  text: string
  html?: string
  /** The member who can switch off mails of this kind by a link; absent for other mails. */
  unsubscribes?: number
}
/** A mail of the outbox table; `attempts` counts failed deliveries. */
export type StoredMail = Mail & { id: number; attempts: number; createdAt: Date }

/** Delivery attempts before a mail counts as failed, which operators see. */
export const MAIL_TRIES = 8
/** Failed mails worth a retry: older codes have expired; permanent failures have fewer attempts (`markFailed`). */
export const TO_RETRY = `"failedAt" > now() - interval '1 day' and attempts >= ${MAIL_TRIES}`
const PURPOSE = 'mail'
/** Between text and HTML of the encrypted content; mails of earlier releases have text alone. */
const PART_END = '\0'

/** Writes an encrypted mail to the outbox, which workers send; exports and deletions find it by `filedUnder`. */
export async function enqueueMail(
  tx: Tx,
  dataKey: Buffer,
  mail: Mail,
  filedUnder = mail.to,
): Promise<number> {
  const parts = mail.html === undefined ? [mail.text] : [mail.text, mail.html]
  const [row] = await tx('mails')
    .insert({
      recipient: mail.to,
      recipientKey: emailKey(filedUnder),
      subject: mail.subject,
      sealed: encrypt(dataKey, PURPOSE, Buffer.from(parts.join(PART_END))),
      unsubscribes: mail.unsubscribes ?? null,
    })
    .returning('id')
  return row.id
}

/** Whether a mail is filed under this address (its folded form), which a change of the address moves. */
export async function isFiledUnder(tx: Tx, id: number, key: string): Promise<boolean> {
  return (await tx('mails').where({ id, recipientKey: key }).first('id')) !== undefined
}

type MailRow = {
  id: number
  recipient: string
  subject: string
  sealed: Buffer | null
  attempts: number
  createdAt: Date
  unsubscribes: number | null
}

/** The stored content of a mail cannot be decrypted with the configured key. */
export class UnreadableMail extends Error {}

function contentOf({ id, sealed }: MailRow, dataKey: Buffer): string {
  if (!sealed) return ''
  try {
    return decrypt(dataKey, PURPOSE, sealed).toString()
  } catch (cause) {
    throw new UnreadableMail(`mail ${id} cannot be decrypted; check DATA_KEY`, { cause })
  }
}

function decrypted(row: MailRow, dataKey: Buffer): StoredMail {
  const [text = '', html] = contentOf(row, dataKey).split(PART_END)
  const { id, recipient: to, subject, attempts, createdAt, unsubscribes } = row
  return {
    ...{ id, to, subject, text, attempts, createdAt },
    ...(html === undefined ? {} : { html }),
    ...(unsubscribes === null ? {} : { unsubscribes }),
  }
}

/** The mail, if it is neither sent nor failed. @throws {UnreadableMail} */
export async function waitingMail(
  db: Db,
  dataKey: Buffer,
  id: number,
): Promise<StoredMail | undefined> {
  const row = await db('mails').where({ id, sentAt: null, failedAt: null }).first()
  return row && decrypted(row, dataKey)
}

/** Whether the member still wants a mail that can be switched off (it may have waited for hours); others: true. */
export async function isWanted(
  db: Db,
  { id, unsubscribes: memberId }: StoredMail,
): Promise<boolean> {
  if (memberId === undefined) return true
  const wanted = await db('mails as m')
    .join('reminder_preferences as p', 'p.userId', 'm.unsubscribes')
    .join('users as u', 'u.id', 'm.unsubscribes')
    .where({ 'm.id': id, 'p.mail': true, 'u.frozenAt': null })
    .whereRaw(`m."createdAt" > now() - ? * interval '1 millisecond'`, [REMINDER_LIFE_MS])
    .first('m.id')
  if (!wanted) return false
  const session = { ...memberKey(memberId), active: true }
  return (await db('mining_sessions').where(session).first('id')) === undefined
}

/** Deletes a mail that must not be sent: it has not failed, so that a retry does not find it. */
export async function dropMail(db: Db, id: number): Promise<void> {
  await db('mails').where({ id, sentAt: null }).delete()
}

/** At most 500 waiting mails without a job, reminders last; `lost`: queued over a minute ago, maybe lost by Redis. */
export async function mailsToQueue(
  db: Db,
  lost: boolean,
): Promise<Pick<MailRow, 'id' | 'unsubscribes'>[]> {
  return db('mails')
    .whereNull('sentAt')
    .whereNull('failedAt')
    .whereRaw(lost ? `"queuedAt" < now() - interval '1 minute'` : '"queuedAt" is null')
    .orderByRaw('unsubscribes is not null, "queuedAt", id')
    .limit(500)
    .select('id', 'unsubscribes')
}

/** Notes that the jobs of these mails were added. */
export async function noteQueued(db: Db, ids: number[]): Promise<void> {
  await db('mails').whereIn('id', ids).update({ queuedAt: db.fn.now() })
}

/**
 * Notes that a mail is about to be sent. A database that takes no writes fails here: `markSent` would fail too, and
 * the mail would go out again and again. Returns false if it has been sent or deleted meanwhile.
 */
export async function noteSending(db: Db, id: number): Promise<boolean> {
  const waiting = db('mails').where({ id, sentAt: null, failedAt: null })
  const lastError = db.raw(`coalesce("lastError", 'being sent')`)
  return (await waiting.update({ lastError })) > 0
}

/** Marks a mail as sent and deletes its content; `keepText` is for the development outbox. */
export async function markSent(db: Db, id: number, keepText: boolean): Promise<void> {
  const sealed = keepText ? {} : { sealed: null }
  await db('mails')
    .where({ id })
    .update({ sentAt: db.fn.now(), lastError: null, ...sealed })
}

/**
 * Counts a failed delivery; a `final` one fails below `MAIL_TRIES` (`TO_RETRY`). False if the mail was deleted, or
 * sent by another process meanwhile.
 */
export async function markFailed(
  db: Db,
  id: number,
  error: string,
  final = false,
): Promise<boolean> {
  const { rowCount } = await db.raw(
    `update mails set "lastError" = :error,
       attempts = case when :final then least(attempts + 1, :tries - 1) else attempts + 1 end,
       "failedAt" = case when :final or attempts + 1 >= :tries then now() end
     where id = :id and "sentAt" is null`,
    { id, error: error.slice(0, 500), final, tries: MAIL_TRIES },
  )
  return rowCount === 1
}

/** The newest mails with their texts, for the development outbox. */
export async function newestMails(db: Db, dataKey: Buffer, limit = 50): Promise<StoredMail[]> {
  const rows: MailRow[] = await db('mails').orderBy('id', 'desc').limit(limit)
  return rows.map((row) => decrypted(row, dataKey))
}

/** Mails for operators: waiting (no reminders, which may be thousands); failed; `TO_RETRY`; a day's rejected ones. */
export async function mailFigures(
  db: Db,
): Promise<{ waiting: number; failed: number; toRetry: number; rejected: number }> {
  // By the indexes `mails_waiting` and `mails_failed`.
  const { rows } = await db.raw(
    `select
       (select count(*) from mails
         where "sentAt" is null and "failedAt" is null and unsubscribes is null) as waiting,
       (select count(*) from mails where "failedAt" is not null) as failed,
       (select count(*) from mails where ${TO_RETRY}) as "toRetry",
       (select count(*) from mails
         where "failedAt" > now() - interval '1 day' and attempts < ${MAIL_TRIES}
           and "lastError" not like 'not tried: %') as rejected`,
  )
  return rows[0]
}

const OLD = `"sentAt" < now() - interval '7 days' or "failedAt" < now() - interval '30 days'`

/** Deletes mails sent 7 days ago or failed 30 days ago, their retention; returns their number. */
export async function deleteOldMails(db: Db): Promise<number> {
  return (await engineOf(db)).deleteRows(db, 'mails', OLD)
}

/** Files the mails to an address under the member's new one (folded forms); their recipients do not change. */
export async function moveMails(tx: Tx, from: string, to: string): Promise<void> {
  await tx('mails').where({ recipientKey: from }).update({ recipientKey: to })
}
