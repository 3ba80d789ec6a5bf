import { durationSql } from '#db/ledger/credit-sql'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import { DAY_MS, MINED_DAYS } from '#rules/constants'
import { sum } from '#rules/money/money'
import type { LedgerSums, MinedDay } from '#rules/snapshots'
import { type ActivityCursor, epochMs } from './activity.ts'

/**
 * A run of credits is rolled up within its UTC day, so the sums are the same before and after a
 * roll-up. Both bounds are values, so that only the partitions of these days are planned.
 */
const MINED_SQL = `
  select ${epochMs(`date_bin(${durationSql(DAY_MS)}, "createdAt", to_timestamp(0))`)} as at,
    sum(amount) as mined
  from wallet_activity
  where bucket = :bucket and "userId" = :memberId and "createdAt" >= :from and "createdAt" < :to
    and type = 'mining_reward' and "tokenType" = 'TESP'
  group by 1`

/**
 * TESP that mining paid a member on each of the last seven UTC days of product time, oldest first;
 * the last one is today. Automatic credits count on the day of their interval's end, claims on the
 * day of the claim.
 */
export async function readMinedDays(db: Db, memberId: number): Promise<MinedDay[]> {
  const today = Math.floor((await productNow(db)) / DAY_MS) * DAY_MS
  const first = today - (MINED_DAYS - 1) * DAY_MS
  const bounds = { from: new Date(first), to: new Date(today + DAY_MS) }
  const { rows } = await db.raw(MINED_SQL, { bucket: bucketOf(memberId), memberId, ...bounds })
  const minedAt = new Map<number, string>(
    rows.map(({ at, mined }: { at: number; mined: string }) => [at, mined]),
  )
  return Array.from({ length: MINED_DAYS }, (_, index) => {
    const at = first + index * DAY_MS
    return { day: new Date(at).toISOString().slice(0, 10), mined: sum(minedAt.get(at) ?? '0') }
  })
}

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
