import { TO_RETRY } from '#db/mails'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { SECOND_MS, SESSION_MS } from '#rules/constants'
import { notFound } from './action-log.ts'

/** `seconds` is null if the work has never run. */
type WorkLag = { work: string; seconds: number | null }

/** In real time, except for sweeps, which run on product time. */
const LAG_SQL = `
  select
    (select extract(epoch from product_now() - min("sweptTo"))::float8 from credit_sweeps
      where not exists (select from credit_sweeps where "sweptTo" = to_timestamp(0))) as sweep,
    (select coalesce(extract(epoch from now() - min("createdAt")), 0)::float8 from mails
      where "sentAt" is null and "failedAt" is null) as mail,
    (select coalesce(extract(epoch from now() - min("createdAt")), 0)::float8 from reminders
      where "settledAt" is null) as reminder,
    (select coalesce(extract(epoch from now() - min("createdAt")), 0)::float8 from kyc_documents
      where "decidedAt" is null) as document`

/** Seconds of product time. Not a part of `LAG_SQL`: sessions may be on other nodes. */
async function sessionEndLag(db: Db): Promise<number> {
  const startedBy = (await productNow(db)) - SESSION_MS
  const [first] = await db('mining_sessions')
    .where({ active: true, quarantinedAt: null })
    .where('startTime', '<=', new Date(startedBy))
    .min({ startTime: 'startTime' })
  return first?.startTime ? (startedBy - first.startTime.getTime()) / SECOND_MS : 0
}

/** Seconds since the oldest piece of each kind of work fell due; 0 if nothing waits. */
export async function workLag(db: Db): Promise<WorkLag[]> {
  const { rows } = await db.raw(LAG_SQL)
  const { sweep, mail, reminder, document } = rows[0]
  return [
    { work: 'oldest due credit', seconds: await creditLagSeconds(db) },
    { work: 'slowest sweep', seconds: sweep },
    { work: 'oldest session to end', seconds: await sessionEndLag(db) },
    { work: 'oldest unsent mail', seconds: mail },
    { work: 'oldest unsent reminder', seconds: reminder },
    { work: 'oldest undecided document', seconds: document },
  ]
}

/** `attempts` counts failed deliveries. */
const newestMails = (db: Db, limit: number) =>
  db('mails')
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'recipient', 'subject', 'createdAt', 'attempts', 'lastError')

export const waitingMails = (db: Db, limit: number) =>
  newestMails(db, limit).where({ sentAt: null, failedAt: null })

export const failedMails = (db: Db, limit: number) =>
  newestMails(db, limit).whereNotNull('failedAt').select('failedAt')

const failedOnes = (db: Db, ids: number[] | 'all') =>
  ids === 'all'
    ? db('mails').whereRaw(TO_RETRY)
    : db('mails').whereNotNull('failedAt').whereIn('id', ids)

export async function failedBySubject(
  db: Db,
  ids: number[] | 'all',
): Promise<{ subject: string; mails: number }[]> {
  return failedOnes(db, ids)
    .groupBy('subject')
    .orderBy('subject')
    .select('subject')
    .count('* as mails')
}

/** Gives the mails all their tries again. @throws {RuleError} `not_found` unless all of these mails have failed */
export async function retryMails(tx: Tx, ids: number[] | 'all'): Promise<number[]> {
  const again = { failedAt: null, attempts: 0, queuedAt: null }
  const retried = await failedOnes(tx, ids).update(again).returning('id')
  if (ids !== 'all' && retried.length !== new Set(ids).size) throw notFound('failed mail')
  return retried.map(({ id }: { id: number }) => id)
}
