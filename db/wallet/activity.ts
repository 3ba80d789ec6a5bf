import { descriptionSql } from '#db/ledger/credit-sql'
import { epochMs } from '#db/postgres/statements/times'
import type { Db } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { sum } from '#rules/money/money'
import type { Activity, ActivityPage, LedgerSums } from '#rules/snapshots'

/** A ledger row as JSON carries it: `at` in ms of product time, `seq` the order of posting. */
type ActivityJson = Omit<Activity, 'timestamp'> & { at: number; seq: number }

const ACTIVITY_JSON = `json_build_object('id', a.id, 'type', a.type, 'amount', a.amount::text,
  'tokenType', a."tokenType", 'description', ${descriptionSql('a')}, 'at', ${epochMs('a."createdAt"')},
  'balanceAfter', a."balanceAfter"::text, 'seq', a.seq)`

/** A part of the ledger: rows with `from` ≤ createdAt < `to`. */
type Window = { from: Date | '-infinity'; to: Date | 'infinity' }

const RECENT_MS = 2 * DAY_MS
const MONTH_MS = 32 * DAY_MS

/** Windows behind `at` (ms), read until a page is full: active members need only the first and its partitions. */
function windowsBehind(at = Date.now()): Window[] {
  const [recent, month] = [new Date(at - RECENT_MS), new Date(at - MONTH_MS)]
  return [
    { from: recent, to: 'infinity' },
    { from: month, to: recent },
    { from: '-infinity', to: month },
  ]
}

/** Where a page of activity continues: after the row of that time (ms) and posting number. */
export type ActivityCursor = { at: number; seq: number }

/** Parses the cursor that a page ended with; undefined for any other text. */
export function parseCursor(text: string): ActivityCursor | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,3})?)\.(\d{1,15})$/.exec(text)
  return match ? { at: Number(match[1]), seq: Number(match[2]) } : undefined
}

/** Of the conditions on the cursor the first prunes partitions, the second one orders rows of the same moment. */
const PAGE_SQL = `
  select coalesce(json_agg(row order by "createdAt" desc, seq desc), '[]') as rows,
    ${epochMs('statement_timestamp()')} as "asOf"
  from (
    select a."createdAt", a.seq, ${ACTIVITY_JSON} as row from wallet_activity a
    where a.bucket = :bucket and a."userId" = :userId and a."createdAt" >= :from and a."createdAt" < :to
      and a."createdAt" <= :at and (a."createdAt", a.seq) < (:at, :seq::bigint)
    order by a."createdAt" desc, a.seq desc limit :limit
  ) page`

/** One page of a member's ledger, newest first: recent days first, older ones if they are short. */
export async function readActivity(
  db: Db,
  memberId: number,
  limit: number,
  before?: ActivityCursor,
): Promise<ActivityPage> {
  const cursor = { at: before ? new Date(before.at) : 'infinity', seq: before?.seq ?? 0 }
  const rows: ActivityJson[] = []
  let asOf: number | undefined
  for (const window of windowsBehind(before?.at)) {
    const values = { ...memberKey(memberId), ...window, ...cursor, limit: limit - rows.length }
    const [read] = (await db.raw(PAGE_SQL, values)).rows
    rows.push(...read.rows)
    asOf ??= read.asOf
    if (rows.length === limit) break
  }
  const last = rows.length === limit ? rows.at(-1) : undefined
  const items = rows.map(({ at, seq: _, ...row }) => ({
    ...row,
    timestamp: new Date(at).toISOString(),
  }))
  return { items, next: last ? `${last.at}.${last.seq}` : null, asOf: asOf ?? 0 }
}

const sumOf = (token: string) =>
  `coalesce(sum(amount) filter (where "tokenType" = '${token}'), 0) as "${token}"`

const SUMS_SQL = `
  select ${sumOf('TESP')}, ${sumOf('USDT')} from wallet_activity
  where bucket = :bucket and "userId" = :userId and "createdAt" >= :since and "createdAt" <= :at
    and ("createdAt", seq) < (:at, :seq::bigint)`

/** Sums of the rows behind a page's cursor from `since` (product time) on: the rest of the page's last day. */
export async function sumOlderRows(
  db: Db,
  memberId: number,
  { at, seq }: ActivityCursor,
  since: Date,
): Promise<LedgerSums> {
  const values = { ...memberKey(memberId), at: new Date(at), seq, since }
  const { rows } = await db.raw(SUMS_SQL, values)
  return { tesp: sum(rows[0].TESP), usdt: sum(rows[0].USDT) }
}
