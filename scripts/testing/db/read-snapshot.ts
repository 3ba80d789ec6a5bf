import { type MemberSnapshot, readSnapshots } from '#db/mining/snapshots'
import type { Db } from '#db/postgres/statements/transaction'

/** The snapshot of one existing member. */
export async function readSnapshot(db: Db, memberId: number): Promise<MemberSnapshot> {
  const [snapshot] = await readSnapshots(db, [memberId])
  if (!snapshot) throw new Error(`no member ${memberId}`)
  return snapshot
}
