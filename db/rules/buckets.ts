/** Number of buckets (decision 25); a member's rows hold theirs in `bucket`, so a change rewrites every row. */
export const BUCKETS = 1_024

/** Buckets `first`…`last`, or of these only the ones in `list`, which one sweep credits together. */
export type BucketRange = { first: number; last: number; list?: number[] }

/** All buckets. */
export const ALL_BUCKETS: BucketRange = { first: 0, last: BUCKETS - 1 }

/** Buckets of one range that stores how far it is swept (`credit_sweeps`). */
const RANGE_BUCKETS = 128

/** The ranges of one server that store how far they are swept (`Engine.rangesToSweep`). */
export const SWEEP_RANGES: BucketRange[] = Array.from(
  { length: BUCKETS / RANGE_BUCKETS },
  (_, n) => ({ first: n * RANGE_BUCKETS, last: (n + 1) * RANGE_BUCKETS - 1 }),
)

/** The bucket of a member. */
export function bucketOf(memberId: number): number {
  return memberId % BUCKETS
}

/** The columns with which every key of a member's rows begins, for a condition or a new row. */
export function memberKey(memberId: number): { bucket: number; userId: number } {
  return { bucket: bucketOf(memberId), userId: memberId }
}

/** SQL twin of `bucketOf`. */
export function bucketSql(memberId: string): string {
  return `(${memberId} % ${BUCKETS})`
}
