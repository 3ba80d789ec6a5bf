import { engineOf } from '#db/engine/engine'
import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import type { Db } from '#db/postgres/statements/transaction'
import { batchLoader } from './batches.ts'

const MAX_BATCH = 200
/** Queries at a time: commands find a free connection. */
const MAX_QUERIES = 2

/** One by one, so that an error is that of one member. */
async function readEach(db: Db, memberIds: readonly number[]) {
  const reads = await Promise.allSettled(memberIds.map((id) => readSnapshots(db, [id])))
  return reads.map((read) => (read.status === 'fulfilled' ? read.value[0] : asError(read.reason)))
}

const asError = (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason)))

/** Polls that arrive together share a query. Nothing is cached: each answer is read after its request arrived. */
export function snapshotLoader(db: Db) {
  return batchLoader<number, MemberSnapshot | undefined>(
    async (memberIds) => {
      try {
        const snapshots = await readSnapshots(db, [...new Set(memberIds)])
        const byMember = new Map(snapshots.map((snapshot) => [snapshot.memberId, snapshot]))
        return memberIds.map((memberId) => byMember.get(memberId))
      } catch (error) {
        if (memberIds.length === 1 || !(await engineOf(db)).failsByMember) throw error
        return await readEach(db, memberIds)
      }
    },
    { maxBatch: MAX_BATCH, atOnce: MAX_QUERIES },
  )
}
