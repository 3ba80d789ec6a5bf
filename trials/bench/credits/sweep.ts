import { rangesToSweep, type SweepRest, sweepBatch } from '#db/mining/sweep'
import type { Db } from '#db/postgres/statements/transaction'

/** Starts `work` in the order of the items, `count` at a time. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const takeNext = async () => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: count }, takeNext))
  return results
}

/** Sweeps until nothing is due, as the workers do; returns the number of credits. */
export async function sweepAll(db: Db, connections: number): Promise<number> {
  const credits = await mapConcurrently(await rangesToSweep(db), connections, async (buckets) => {
    let rest: SweepRest | undefined
    for (let sum = 0; ; ) {
      const batch = await sweepBatch(db, buckets, rest)
      sum += batch.memberIds.length
      if (batch.isDone) return sum
      rest = batch.rest
    }
  })
  return credits.reduce((sum, count) => sum + count, 0)
}
