import { engineOf } from '#db/engine/engine'
import { BUCKETS } from '#rules/buckets'
import { MINUTE_MS } from '#rules/constants'
import { INBOX_DAYS, INBOX_ROWS } from '#rules/inbox'
import { REFUSAL_DAYS } from './members/refused-addresses.ts'
import type { Db } from './postgres/statements/transaction.ts'

/** Condition of the rows to delete, by table. */
const OLD = {
  email_codes: `"createdAt" < now() - interval '1 day'`,
  refused_addresses: `"refusedAt" <= now() - interval '${REFUSAL_DAYS} days'`,
  idempotency_keys: `"createdAt" < now() - interval '2 days'`,
  /** Readers ask each second, and no transaction of the product takes longer. */
  member_changes: `at < clock_timestamp() - interval '2 minutes'`,
  /** After that an e-mail address may be counted in a team again. */
  counted_addresses: `"createdAt" < now() - interval '1 year'`,
  reminders: `"settledAt" < now() - interval '7 days'`,
  announcements: `greatest(at, until) < now() - interval '${INBOX_DAYS} days'`,
}

/** The tables that have a fixed retention. */
export const AGING_TABLES = Object.keys(OLD) as (keyof typeof OLD)[]

/** Deletes old rows of a table, after a long pause not all of them; returns their number. */
export async function deleteOld(db: Db, table: keyof typeof OLD): Promise<number> {
  return (await engineOf(db)).deleteRows(db, table, OLD[table])
}

/** Each bucket has a turn of this length once in 22 hours, so a run reads the rows of one bucket. */
const TURN_MS = 1.3 * MINUTE_MS

const OLD_INBOX_SQL = `
  delete from inbox where bucket = :bucket::smallint and id in (
    select id from (
      select id, at, row_number() over (partition by "userId" order by id desc) as n
      from inbox where bucket = :bucket::smallint
    ) kept where n > ${INBOX_ROWS} or at < now() - interval '${INBOX_DAYS} days')`

/** The bucket whose turn it is at `now`, real ms. */
export const bucketInTurn = (now: number) => Math.floor(now / TURN_MS) % BUCKETS

/** Deletes the rows of a bucket beyond each member's newest 100 or older than 90 days; returns their number. */
export async function deleteOldInboxRows(db: Db, bucket: number): Promise<number> {
  return (await db.raw(OLD_INBOX_SQL, { bucket })).rowCount
}
