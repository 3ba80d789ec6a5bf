import { isoTimes } from '#db/postgres/statements/times'
import type { Db } from '#db/postgres/statements/transaction'
import { type Announced, type Announcement, INBOX_DAYS } from '#rules/inbox'

const rowsOf = (db: Db) => db('announcements').select('id', 'kind', 'texts', 'from', 'until', 'at')

/** The announcements that have not ended, oldest first. */
export async function openAnnouncements(db: Db): Promise<Announcement[]> {
  const rows = await rowsOf(db).where('until', '>', db.fn.now()).orderBy('id')
  return rows.map(isoTimes<Announcement>)
}

/** What is pushed to everybody. */
export async function readAnnounced(db: Db): Promise<Announced> {
  const { rows } = await db.raw(
    `select (extract(epoch from statement_timestamp()) * 1000)::float8 as "asOf"`,
  )
  return { asOf: rows[0].asOf, announcements: await openAnnouncements(db) }
}

/** Announcements in a member's inbox: a bound for a year with many. */
const MOST = 30

/** Those of the last 90 days or still open that had not ended when the member signed up, newest first. */
export async function newestAnnouncements(db: Db, memberId: number): Promise<Announcement[]> {
  const rows = await rowsOf(db)
    .whereRaw(`(at > now() - interval '${INBOX_DAYS} days' or until > now())`)
    .where('until', '>', db('users').where({ id: memberId }).select('createdAt'))
    .orderBy('id', 'desc')
    .limit(MOST)
  return rows.map(isoTimes<Announcement>)
}

/** The newest announcements, newest first, for operators. */
export async function listAnnouncements(db: Db, limit: number): Promise<Announcement[]> {
  const rows = await rowsOf(db).orderBy('id', 'desc').limit(limit)
  return rows.map(isoTimes<Announcement>)
}
