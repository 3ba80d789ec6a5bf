import { isDistributed } from '#db/postgres/connection/layout'
import type { Db } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS, type BucketRange, SWEEP_RANGES } from '#rules/buckets'

type Row = { first: number; last: number; list: number[] | null }

/**
 * The ranges of buckets that store how far they are swept. Processes share the work of a full sweep by
 * range. On Citus each holds the buckets of one shard, so that one node serves its sweep.
 */
export async function sweepRanges(db: Db): Promise<BucketRange[]> {
  if (!(await isDistributed(db))) return SWEEP_RANGES
  const rows: Row[] = await db('credit_sweeps')
    .orderBy('firstBucket')
    .select({ first: 'firstBucket', last: 'lastBucket', list: 'buckets' })
  return rows.map(({ list, ...range }) => (list ? { ...range, list } : range))
}

/** The ranges that a statement over all buckets is divided into: one, except on Citus. */
export async function sweepScopes(db: Db): Promise<BucketRange[]> {
  return (await isDistributed(db)) ? sweepRanges(db) : [ALL_BUCKETS]
}

/**
 * Runs `work` for each of `sweepScopes`. One that fails, because its node is down, does not stop the
 * others; its error is thrown after the last one.
 * @param work returns whether the others can be left out
 */
export async function forEachScope(
  scopes: BucketRange[],
  work: (scope: BucketRange) => Promise<boolean>,
): Promise<void> {
  const errors: unknown[] = []
  for (const scope of scopes) {
    try {
      if (await work(scope)) return
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
