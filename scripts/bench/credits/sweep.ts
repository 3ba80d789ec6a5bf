import { type SweepRest, sweepBatch } from '#db/mining/sweep'
import type { Db } from '#db/postgres/transaction'
import { SHARDS } from '#rules/constants'
import { lanes } from './lanes.ts'

/** Sweeps all shards until nothing is due, as the workers do; returns the number of credits. */
export async function sweepAll(db: Db, connections: number, limit?: number): Promise<number> {
  let credits = 0
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard)
  await lanes(connections, shards, async (shard) => {
    let rest: SweepRest | undefined
    for (;;) {
      const batch = await sweepBatch(db, [shard], rest, limit)
      credits += batch.memberIds.length
      if (batch.isDone) return
      rest = batch.rest
    }
  })
  return credits
}
