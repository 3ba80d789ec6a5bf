import { bucketOf } from '#rules/buckets'

/** A session and its member, whose bucket is the first column of the session's key. */
export type SessionKey = { sessionId: number; userId: number }

/** SQL condition of the sessions whose `(bucket, id)` is given by the values of `sessionKeys`. */
export const oneOfSessionsSql = (bucket: string, id: string) =>
  `(${bucket}, ${id}) in (select * from unnest(:sessionBuckets::smallint[], :sessionIds::bigint[]))`

/** Values for `oneOfSessionsSql`. */
export function sessionKeys(sessions: SessionKey[]): {
  sessionBuckets: number[]
  sessionIds: number[]
} {
  return {
    sessionBuckets: sessions.map(({ userId }) => bucketOf(userId)),
    sessionIds: sessions.map(({ sessionId }) => sessionId),
  }
}
