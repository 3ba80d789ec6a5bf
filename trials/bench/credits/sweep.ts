import { rangesToSweep, type SweepRest, sweepBatch } from '#db/mining/sweep'
import { type Db, retrying } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { mapConcurrently } from '#trials/kit/until'

/**
 * Sweeps until nothing is due, as the workers do; returns the number of credits.
 * @param limit the most sessions that a statement credits; default: the product's
 */
export async function sweepRange(db: Db, buckets: BucketRange, limit?: number): Promise<number> {
  let rest: SweepRest | undefined
  for (let sum = 0; ; ) {
    const from = rest
    const batch = await retrying(() => sweepBatch(db, buckets, from, limit))
    sum += batch.memberIds.length
    if (batch.isDone) return sum
    rest = batch.rest
  }
}

export async function sweepAll(db: Db, connections: number): Promise<number> {
  const sweep = (buckets: BucketRange) => sweepRange(db, buckets)
  const credits = await mapConcurrently(await rangesToSweep(db), connections, sweep)
  return credits.reduce((sum, count) => sum + count, 0)
}
