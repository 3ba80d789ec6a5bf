import { dueSql } from '#db/ledger/credits/credit-sql'
import { nextIntervalEndSql } from '#db/ledger/credits/interval-sql'
import type { Db } from '#db/postgres/statements/transaction'

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
