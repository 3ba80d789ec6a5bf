import { descriptionSql } from '#db/ledger/credit-sql'
import { inLedgerSnapshot } from '#db/ledger/partition-swap'
import { cursorBatches } from '#db/postgres/statements/cursor'
import type { Db } from '#db/postgres/statements/transaction'
import { bucketOf } from '#rules/buckets'
import { DAY_MS } from '#rules/constants'
import { creditCount } from '#rules/money/ledger-id'
import type { Activity } from '#rules/snapshots'

/** Text at the start of a cell that spreadsheets read as a formula. */
const FORMULA = /^\s*[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/
const NEEDS_QUOTES = /[",\r\n]/

/** A CSV cell of free text. A quote in front of it keeps spreadsheets from running it as a formula. */
export function textCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of CSV (RFC 4180) from cells that are escaped already. */
export function csvLine(cells: (string | number)[]): string {
  return `${cells.join(',')}\r\n`
}

/** UTC days of product time, such as `2026-03-01`; both are part of the period. */
export type StatementPeriod = { from: string; to: string }

type StatementRow = Pick<Activity, 'id' | 'type' | 'amount' | 'tokenType' | 'description'> & {
  createdAt: Date
  balanceAfter: string
}

/** Excel reads a file without it in the code page of the machine. */
const BYTE_ORDER_MARK = '\uFEFF'

const HEAD = csvLine([
  'Time (UTC)',
  'Type',
  'Description',
  'Credits',
  'Amount',
  'Token',
  'Balance after',
  'Receipt id',
])

/** `2026-03-01 12:00:00`, which spreadsheets read as a time. */
const timeCell = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ')

function lineOf(row: StatementRow): string {
  return csvLine([
    timeCell(row.createdAt),
    row.type,
    textCell(row.description),
    creditCount(row.id) || '',
    row.amount,
    row.tokenType,
    row.balanceAfter,
    textCell(row.id),
  ])
}

/**
 * The ledger of a period as CSV in chunks, oldest row first. One snapshot, because a roll-up between two reads
 * would list credits twice; it ends before the download, so that a slow client cannot keep it open.
 */
export async function writeStatement(
  db: Db,
  memberId: number,
  { from, to }: StatementPeriod,
): Promise<Buffer[]> {
  const end = new Date(Date.parse(to) + DAY_MS)
  return inLedgerSnapshot(db, async (tx) => {
    const query = tx('wallet_activity as a')
      .where('a.bucket', bucketOf(memberId))
      .where('a.userId', memberId)
      .where('a.createdAt', '>=', new Date(from))
      .where('a.createdAt', '<', end)
      .orderBy(['a.createdAt', 'a.seq'])
      .select('a.id', 'a.type', 'a.amount', 'a.tokenType', 'a.createdAt', 'a.balanceAfter')
      .select({ description: tx.raw(descriptionSql('a')) })
    const chunks = [Buffer.from(BYTE_ORDER_MARK + HEAD)]
    for await (const rows of cursorBatches<StatementRow>(tx, query)) {
      chunks.push(Buffer.from(rows.map(lineOf).join('')))
    }
    return chunks
  })
}
