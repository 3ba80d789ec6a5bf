import { dueSql } from '#db/ledger/credit-sql'
import { nextIntervalEndSql } from '#db/ledger/interval-sql'
import type { Db } from '#db/postgres/transaction'

/**
 * Finds intervals that are due although their shard was swept later, for example of a session that
 * was released from quarantine during a sweep, and moves `sweptTo` of the shard back to the oldest
 * one. The next sweep credits them. Reads all running sessions once.
 * @returns the shards that are swept again
 */
export async function findMissedCredits(db: Db): Promise<number[]> {
  const { rows } = await db.raw(
    `with missed as (
       select s.shard, min(${nextIntervalEndSql('s')}) as since from mining_sessions s
       where ${dueSql('(select product_now())')} group by s.shard
     )
     update credit_sweeps c set "sweptTo" = missed.since from missed
     where c.shard = missed.shard and missed.since < c."sweptTo" returning c.shard`,
  )
  return rows.map(({ shard }: { shard: number }) => shard)
}
