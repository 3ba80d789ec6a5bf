import type { Knex } from 'knex'
import { type BucketRange, bucketOf } from '#rules/buckets'

/** Condition on a column `bucket` that holds for the buckets of a scope. */
export type InBuckets = (bucket: string) => string

/** The bucket `:bucket`. */
export const inBucket: InBuckets = (bucket) => `${bucket} = :bucket::smallint`

/** The buckets in the list of a range, which Citus has on one node; without a list it holds for all. */
export const inList: InBuckets = (bucket) =>
  `(:buckets::smallint[] is null or ${bucket} = any(:buckets::smallint[]))`

/** The buckets of a range. */
export const inRange: InBuckets = (bucket) =>
  `${bucket} between :firstBucket::smallint and :lastBucket::smallint and ${inList(bucket)}`

/** The positions of a range in `credit_sweeps`; lists of Citus interleave, so `firstBucket` identifies one. */
export const POSITIONS = `"firstBucket" between :firstBucket::smallint
    and case when :buckets::smallint[] is null then :lastBucket else :firstBucket end::smallint`

/** Values for `inRange`, `inList` and `POSITIONS`. */
export const bucketBindings = ({ first, last, list }: BucketRange) => ({
  firstBucket: first,
  lastBucket: last,
  buckets: (list ?? null) as Knex.Value,
})

/** A session and its member, whose bucket is the first column of the session's key. */
export type SessionRef = { sessionId: number; userId: number }

/** SQL condition of the sessions whose `(bucket, id)` is given by the values of `sessionRefs`. */
export const oneOfSessionsSql = (bucket: string, id: string) =>
  `(${bucket}, ${id}) in (select * from unnest(:sessionBuckets::smallint[], :sessionIds::bigint[]))`

/** Values for `oneOfSessionsSql`. */
export function sessionRefs(sessions: SessionRef[]) {
  return {
    sessionBuckets: sessions.map(({ userId }) => bucketOf(userId)),
    sessionIds: sessions.map(({ sessionId }) => sessionId),
  }
}
