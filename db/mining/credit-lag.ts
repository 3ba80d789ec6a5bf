import { dueSql, nextIntervalEndSql } from '#db/ledger/credit-sql'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'
import { CREDIT_SLOTS, SECOND_MS } from '#rules/constants'

/** Slots of the first statement: 6,700 sessions at a million members. Each further one reads four times as many. */
const FIRST_SLOTS = 8

const POSITION_SQL = `
  select product_now() as now, min("sweptTo") as "sweptTo" from credit_sweeps`

const OLDEST_DUE_SQL = `
  select min(${nextIntervalEndSql('s')}) as due from mining_sessions s
  where ${dueSql(':now::timestamptz')}
    and s."creditSlot" between :first::integer and :last::integer`

/**
 * Seconds of product time since the oldest uncredited interval fell due, 0 if none is due: the metric
 * `credit_lag_seconds`, on which operators alert. It rises while no sweep runs.
 * Slots since the last sweep are read in the order of their seconds until no later one can hold an older interval,
 * which is few rows while sweeps run and while none runs. On Citus positions and sessions are on different servers.
 */
export async function creditLagSeconds(db: Db): Promise<number> {
  const { rows } = await db.raw(POSITION_SQL)
  const [now, sweptTo] = [rows[0].now.getTime(), rows[0].sweptTo.getTime()]
  const [first, passed] = [sweptTo, now].map((at) => Math.floor(at / SECOND_MS)) as [number, number]
  const end = Math.min(passed + 1, first + CREDIT_SLOTS)
  let oldest = Number.POSITIVE_INFINITY
  let count = FIRST_SLOTS
  // What an unread slot holds fell due in its second or later, because what was due before is credited.
  for (let from = first; from < end && oldest >= from * SECOND_MS; count *= 4) {
    const slot = from % CREDIT_SLOTS
    const to = Math.min(from + count, end, from + CREDIT_SLOTS - slot)
    const slots = { now: rows[0].now, first: slot, last: slot + to - from - 1 }
    const found = await prepared(db, 'oldest-due', OLDEST_DUE_SQL, slots)
    oldest = Math.min(oldest, found.rows[0].due?.getTime() ?? oldest)
    from = to
  }
  return Math.max(0, now - oldest) / SECOND_MS
}

/**
 * Finds intervals that are due before `sweptTo`, for example of a session that was released from quarantine during
 * a sweep, and moves `sweptTo` of their range back to them. Reads all running sessions once.
 * @returns the first bucket of each range that is swept again
 */
export async function findMissedCredits(db: Db): Promise<number[]> {
  const { rows } = await db.raw(
    `with due as (
       select s.bucket, min(${nextIntervalEndSql('s')}) as since from mining_sessions s
       where ${dueSql('(select product_now())')} group by s.bucket
     ), missed as (
       select c."firstBucket", min(due.since) as since
       from due join credit_sweeps c on due.bucket between c."firstBucket" and c."lastBucket"
         and (c.buckets is null or due.bucket = any(c.buckets))
       group by 1
     )
     update credit_sweeps c set "sweptTo" = missed.since from missed
     where c."firstBucket" = missed."firstBucket" and missed.since < c."sweptTo"
     returning c."firstBucket"`,
  )
  return rows.map(({ firstBucket }: { firstBucket: number }) => firstBucket)
}
