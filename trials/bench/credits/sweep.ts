import { sweepRanges } from '#db/ledger/sweep-ranges'
import { sweepBatch } from '#db/mining/sweep/sweep'
import type { SweepRest } from '#db/mining/sweep/sweep-range'
import type { Db } from '#db/postgres/statements/transaction'
import { lanes } from './lanes.ts'

/** Sweeps all buckets until nothing is due, as the workers do; returns the number of credits. */
export async function sweepAll(db: Db, connections: number, limit?: number): Promise<number> {
  let credits = 0
  await lanes(connections, await sweepRanges(db), async (buckets) => {
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
