import type { Db } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import { sum } from '#rules/money/money'
import type { LedgerSums } from '#rules/snapshots'
import type { ActivityCursor } from './activity.ts'

const sumOf = (token: string) =>
  `coalesce(sum(amount) filter (where "tokenType" = '${token}'), 0) as "${token}"`

const SUMS_SQL = `
  select ${sumOf('TESP')}, ${sumOf('USDT')} from wallet_activity
  where bucket = :bucket and "userId" = :memberId and "createdAt" >= :since and "createdAt" <= :at
    and ("createdAt", seq) < (:at, :seq::bigint)`

/**
 * Sums of a member's ledger rows behind the cursor of a page, from `since` (product time) on: what
 * the page leaves out of the day on which it ends.
 */
export async function sumOlderRows(
  db: Db,
  memberId: number,
  { at, seq }: ActivityCursor,
  since: Date,
): Promise<LedgerSums> {
  const { rows } = await db.raw(SUMS_SQL, {
    bucket: bucketOf(memberId),
    memberId,
    at: new Date(at),
    seq,
    since,
  })
  return { tesp: sum(rows[0].TESP), usdt: sum(rows[0].USDT) }
}
