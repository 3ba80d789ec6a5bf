import { type Credit, type CreditScope, creditAllDue } from '#db/ledger/ledger'
import type { Db } from '#db/postgres/transaction'
import { SHARDS } from '#rules/constants'

/** Numbers of all shards. */
export const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard)

/** Scope of all running sessions of a shard. */
export async function wholeShard(db: Db, shard: number): Promise<CreditScope> {
  const sessionIds = await db('mining_sessions').where({ shard, active: true }).pluck('id')
  return { sessionIds, bucket: shard }
}

/**
 * Credits every interval that is due in the shards with the statement of the workers.
 * @param now product time in ms; the database's own when absent
 */
export async function creditShards(
  db: Db,
  now?: number,
  shards: number[] = ALL_SHARDS,
): Promise<Credit[]> {
  const credits: Credit[] = []
  for (const shard of shards) {
    credits.push(...(await creditAllDue(db, await wholeShard(db, shard), now)))
  }
  return credits
}
