import { type Credit, creditAllDue } from '#db/ledger/ledger'
import type { Db } from '#db/postgres/transaction'
import { CREDIT_SLOTS, SHARDS } from '#rules/constants'

/** Numbers of all shards. */
export const ALL_SHARDS = Array.from({ length: SHARDS }, (_, shard) => shard)

/** Scope of all sessions of a shard. */
export function wholeShard(shard: number) {
  return { shard, from: 0, to: CREDIT_SLOTS - 1 }
}

/**
 * Credits every interval that is due in the shards, as the workers do.
 * @param now product time in ms; the database's own when absent
 */
export async function creditShards(
  db: Db,
  now?: number,
  shards: number[] = ALL_SHARDS,
): Promise<Credit[]> {
  const credits: Credit[] = []
  for (const shard of shards) credits.push(...(await creditAllDue(db, wholeShard(shard), now)))
  return credits
}
