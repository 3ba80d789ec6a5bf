import { LISTS } from '#db/members/export'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { creditsOfRow } from '#db/wallet/row-details'
import { creditCount } from '#rules/money/ledger-id'
import type { Activity } from '#rules/snapshots'

type ExportedRow = Omit<Activity, 'timestamp'> & { at: Date }

/** The rows that a row of an export stands for, newest first, with their balances. */
async function detailOf(db: Db, memberId: number, row: ExportedRow): Promise<ExportedRow[]> {
  if (creditCount(row.id) < 2) return [row]
  const credits = await creditsOfRow(db, memberId, row.id)
  return credits.map(({ timestamp, ...credit }) => ({ ...credit, at: new Date(timestamp) }))
}

/**
 * The ledger of some members as their exports hold it, with each rolled-up row in the place of its
 * recomputed credits: equal before and after a roll-up.
 */
export async function ledgerDetail(db: Db, memberIds: number[]): Promise<ExportedRow[]> {
  const detail: ExportedRow[] = []
  for (const memberId of memberIds) {
    const rows: ExportedRow[] = await inTransaction(db, (tx) =>
      LISTS.activity(tx, { memberId, emailKey: '' }).then((found: ExportedRow[]) => found),
    )
    const parts = await Promise.all(rows.map((row) => detailOf(db, memberId, row)))
    const expanded = parts.flat()
    detail.push(
      ...expanded.sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1)),
    )
  }
  return detail
}
