import DataLoader from 'dataloader'
import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import type { Db } from '#db/postgres/transaction'

/** Members per query. */
const MAX_BATCH = 200

/** Reads snapshots without activity; `load` answers undefined for a member who does not exist. */
export type SnapshotLoader = { load(memberId: number): Promise<MemberSnapshot | undefined> }

/**
 * Reads that arrive in one turn of the event loop are answered by one query, so a poll of many
 * members costs few statements. Nothing is cached: each answer is read after its request arrived.
 */
export function snapshotLoader(db: Db): SnapshotLoader {
  return new DataLoader<number, MemberSnapshot | undefined>(
    async (memberIds) => {
      const snapshots = await readSnapshots(db, [...new Set(memberIds)], 0)
      const byMember = new Map(snapshots.map((snapshot) => [snapshot.memberId, snapshot]))
      return memberIds.map((memberId) => byMember.get(memberId))
    },
    {
      cache: false,
      maxBatchSize: MAX_BATCH,
      batchScheduleFn: (dispatch) => setImmediate(dispatch),
    },
  )
}
