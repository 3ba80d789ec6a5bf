import type { Tx } from '#db/postgres/statements/transaction'

/** Sessions that one transaction looks at: about a day of a bucket at a million members. */
const BATCH = 2_000

/** Ended, paid out and not the newest of its member, which the status shows. */
const FOLDABLE = `
  not s.active and s."rewardClaimed" and s."quarantinedAt" is null and s."endTime" < :before
  and exists (select from mining_sessions n
    where n.bucket = s.bucket and n."userId" = s."userId" and n.id > s.id)`

export type Foldable = {
  ids: number[]
  /** The last session that was looked at; null if the bucket has no more old ones. */
  afterId: number | null
}

/**
 * The next old sessions of a bucket that can be folded. Ids rise with the time of the start, so the
 * first newer session ends the bucket, and recent sessions are not read.
 */
export async function foldableSessions(
  tx: Tx,
  { bucket, afterId }: { bucket: number; afterId: number },
  before: Date,
): Promise<Foldable> {
  const { rows } = await tx.raw(
    `select s.id, s."startTime" < :before as "isOld", ${FOLDABLE} as "isFoldable"
     from mining_sessions s where s.bucket = :bucket and s.id > :afterId order by s.id limit ${BATCH}`,
    { bucket, afterId, before },
  )
  const sessions: { id: number; isOld: boolean; isFoldable: boolean }[] = rows
  const isComplete = sessions.length < BATCH || sessions.some(({ isOld }) => !isOld)
  return {
    ids: sessions.filter(({ isFoldable }) => isFoldable).map(({ id }) => id),
    afterId: isComplete ? null : (sessions.at(-1)?.id ?? null),
  }
}
