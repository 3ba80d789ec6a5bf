import type { SweepRest } from '#db/mining/sweep'
import { rangesToSweep, sweepBatch } from '#db/mining/sweep'
import type { Db } from '#db/postgres/statements/transaction'
import { lanes } from './lanes.ts'

/** Sweeps all buckets until nothing is due, as the workers do; returns the number of credits. */
export async function sweepAll(db: Db, connections: number, limit?: number): Promise<number> {
  let credits = 0
  await lanes(connections, await rangesToSweep(db), async (buckets) => {
    let rest: SweepRest | undefined
    for (;;) {
      const batch = await sweepBatch(db, buckets, rest, limit)
      credits += batch.memberIds.length
      if (batch.isDone) return
      rest = batch.rest
    }
  })
  return credits
}
