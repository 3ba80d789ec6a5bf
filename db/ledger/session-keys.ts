import { bucketOf } from '#rules/buckets'

/** A session and its member, whose bucket is the first column of the session's key. */
export type SessionKey = { sessionId: number; userId: number }

/** SQL condition of the sessions whose `(shard, id)` is given by the values of `sessionKeys`. */
export const oneOfSessionsSql = (shard: string, id: string) =>
  `(${shard}, ${id}) in (select * from unnest(:shards::smallint[], :sessionIds::bigint[]))`

/** Values for `oneOfSessionsSql`. */
export function sessionKeys(sessions: SessionKey[]): { shards: number[]; sessionIds: number[] } {
  return {
    shards: sessions.map(({ userId }) => bucketOf(userId)),
    sessionIds: sessions.map(({ sessionId }) => sessionId),
  }
}
