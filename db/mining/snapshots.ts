import { engineOf } from '#db/engine/engine'
import { momentOf } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { miningStatus, unchangedMs } from '#rules/money/mining-status'
import type { MiningStatus, Wallet } from '#rules/snapshots'
import type { SnapshotRow } from './session-sql.ts'

/** What a member's status and wallet show, read in one statement. */
export type MemberSnapshot = {
  memberId: number
  /** A sign-in of another epoch has ended. */
  authEpoch: number
  mining: MiningStatus
  wallet: Wallet
  /** Real ms for which mining and wallet stay as they are unless somebody writes. */
  unchangedMs: number
}

/** What a row says to the member's screens. */
export function snapshotView(row: SnapshotRow): MemberSnapshot {
  const moment = momentOf(row)
  const entry = { id: row.walletId, name: row.walletName, balance: row.balance }
  return {
    memberId: row.memberId,
    authEpoch: row.authEpoch,
    mining: miningStatus(row, moment),
    wallet: { tesp: [entry], usdtBalance: row.usdtBalance, asOf: row.asOf },
    unchangedMs: unchangedMs(row, moment),
  }
}

/** The snapshots of many members in one query, in no particular order. */
export async function readSnapshots(db: Db, memberIds: number[]): Promise<MemberSnapshot[]> {
  if (memberIds.length === 0) return []
  const rows = await (await engineOf(db)).readSnapshots(db, memberIds)
  return rows.map(snapshotView)
}
