import type { Db, Tx } from '#db/postgres/statements/transaction'
import { notFound } from './not-found.ts'

/** A mail that was not sent, without its text; `attempts` counts failed deliveries. */
export type UnsentMail = {
  id: number
  recipient: string
  subject: string
  createdAt: Date
  attempts: number
  lastError: string | null
}

const COLUMNS = ['id', 'recipient', 'subject', 'createdAt', 'attempts', 'lastError']

/** The newest mails that are still tried. */
export async function waitingMails(db: Db, limit: number): Promise<UnsentMail[]> {
  const waiting = { sentAt: null, failedAt: null }
  return db('mails').where(waiting).orderBy('id', 'desc').limit(limit).select(COLUMNS)
}

/** The newest mails that were given up. */
export async function failedMails(
  db: Db,
  limit: number,
): Promise<(UnsentMail & { failedAt: Date })[]> {
  return db('mails')
    .whereNotNull('failedAt')
    .orderBy('id', 'desc')
    .limit(limit)
    .select([...COLUMNS, 'failedAt'])
}

/** Numbers of failed mails by subject: of all of them, or of those with these ids. */
export async function failedBySubject(
  db: Db,
  ids: number[] | 'all',
): Promise<{ subject: string; mails: number }[]> {
  const failed = db('mails').whereNotNull('failedAt')
  if (ids !== 'all') failed.whereIn('id', ids)
  return failed.groupBy('subject').orderBy('subject').select('subject').count('* as mails')
}

/**
 * Makes failed mails wait again with all their tries; their jobs have to be added after the commit.
 * @returns their ids
 * @throws {RuleError} `not_found` unless all of these mails have failed
 */
export async function retryMails(tx: Tx, ids: number[] | 'all'): Promise<number[]> {
  const failed = tx('mails').whereNotNull('failedAt')
  if (ids !== 'all') failed.whereIn('id', ids)
  const retried = await failed.update({ failedAt: null, attempts: 0 }).returning('id')
  if (ids !== 'all' && retried.length !== new Set(ids).size) throw notFound('failed mail')
  return retried.map(({ id }: { id: number }) => id)
}
