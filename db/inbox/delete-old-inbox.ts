import type { Db } from '#db/postgres/statements/transaction'
import { BUCKETS } from '#rules/buckets'
import { MINUTE_MS } from '#rules/constants'
import { INBOX_DAYS, INBOX_ROWS } from '#rules/inbox'

/** Each bucket has a turn of this length once in 22 hours, so a run reads the rows of one bucket. */
const TURN_MS = 1.3 * MINUTE_MS

const EXPIRED_SQL = `
  delete from inbox where bucket = :bucket::smallint and id in (
    select id from (
      select id, at, row_number() over (partition by "userId" order by id desc) as n
      from inbox where bucket = :bucket::smallint
    ) kept where n > ${INBOX_ROWS} or at < now() - interval '${INBOX_DAYS} days')`

/** The bucket whose turn it is at `now`, real ms. */
export const bucketInTurn = (now: number) => Math.floor(now / TURN_MS) % BUCKETS

/**
 * Deletes rows of a bucket beyond the newest 100 of a member, and those older than 90 days. No answer
 * holds them meanwhile.
 * @returns number of deleted rows
 */
export async function deleteOldInboxRows(db: Db, bucket: number): Promise<number> {
  return (await db.raw(EXPIRED_SQL, { bucket })).rowCount
}
