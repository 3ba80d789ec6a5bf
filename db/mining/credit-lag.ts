import { dueSql, nextIntervalEndSql } from '#db/ledger/credit-sql'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'
import { CREDIT_SLOTS } from '#rules/constants'
import { allSlotsSql, creditSlotSql } from './sweep.ts'

const LAST_SLOT = CREDIT_SLOTS - 1

/** The slots since the first range was swept; they are two ranges if the cycle ended in between. */
const SLOTS_SQL = `
  select now, "from" as "firstFrom",
    case when "isAll" or "from" > "to" then ${LAST_SLOT} else "to" end as "firstTo",
    case when "isAll" or "from" <= "to" then -1 else "to" end as "secondTo"
  from (
    select now, ${allSlotsSql} as "isAll",
      case when ${allSlotsSql} then 0 else ${creditSlotSql('"sweptTo"')} end as "from",
      ${creditSlotSql('now')} as "to"
    from (select min("sweptTo") as "sweptTo", product_now() as now from credit_sweeps) c
  ) s`

const LAG_SQL = `
  select coalesce(extract(epoch from :now::timestamptz - min(due)), 0)::float8 as lag from (
    select min(${nextIntervalEndSql('s')}) as due from mining_sessions s
    where ${dueSql(':now::timestamptz')}
      and s."creditSlot" between :firstFrom::integer and :firstTo::integer
    union all
    select min(${nextIntervalEndSql('s')}) from mining_sessions s
    where ${dueSql(':now::timestamptz')} and s."creditSlot" between 0 and :secondTo::integer
  ) d`

/**
 * Seconds of product time since the oldest uncredited interval fell due; 0 when nothing is due.
 * Value of the metric `credit_lag_seconds`, on which operators alert. It rises while no sweep runs.
 *
 * Reads only the slots that passed since the buckets were swept: few rows while sweeps run, because they
 * record how far they got. In two statements, because on Citus positions and sessions are on different servers.
 */
export async function creditLagSeconds(db: Db): Promise<number> {
  const slots = await db.raw(SLOTS_SQL)
  const { rows } = await prepared(db, 'credit-lag', LAG_SQL, slots.rows[0])
  return rows[0].lag
}

/**
 * Finds intervals that are due although their buckets were swept later, for example of a session that
 * was released from quarantine during a sweep, and moves `sweptTo` of their range back to the oldest
 * one. The next sweep credits them. Reads all running sessions once.
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
