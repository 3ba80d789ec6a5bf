import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Report } from './report.ts'

/** Pages of 8 kB whose rows one transaction fills: about 4,000 rows, some 20 ms. */
const CHUNK_PAGES = 64
/** Pause before rows are tried again that other transactions have locked. */
const LOCKED_PAUSE_MS = 20
const REPORT_MS = 5_000

/** A column that is null in the rows that were there before it, and the SQL of its value. */
export type Fill = { table: string; column: string; value: string }

/**
 * Fills a column of a table in use. Rows that somebody has locked are skipped and tried again later,
 * so it neither waits for a member nor takes part in a deadlock.
 *
 * One pass over the pages finds every row, because a trigger fills the column of rows that are written
 * meanwhile. A pass that is interrupted starts again and passes filled pages quickly.
 */
export async function fillColumn(db: Knex, fill: Fill, report: Report): Promise<void> {
  let left = await chunksOf(db, fill.table)
  while (left.length > 0) {
    const locked = await fillChunks(db, fill, left, report)
    if (locked.length > 0) await sleep(LOCKED_PAUSE_MS)
    left = locked
  }
}

/** The first page of each chunk. */
async function chunksOf(db: Knex, table: string): Promise<number[]> {
  const { rows } = await db.raw(
    `select (pg_relation_size(?::regclass) / current_setting('block_size')::bigint)::integer as pages`,
    [table],
  )
  const count = Math.ceil(rows[0].pages / CHUNK_PAGES)
  return Array.from({ length: count }, (_, n) => n * CHUNK_PAGES)
}

/** Fills the chunks; returns those with rows that were locked. */
async function fillChunks(
  db: Knex,
  fill: Fill,
  chunks: number[],
  report: Report,
): Promise<number[]> {
  const locked: number[] = []
  let reportedAt = Date.now()
  for (const [n, page] of chunks.entries()) {
    if (!(await fillPages(db, fill, page))) locked.push(page)
    if (Date.now() - reportedAt < REPORT_MS) continue
    reportedAt = Date.now()
    report(`${fill.table}: ${Math.floor((100 * n) / chunks.length)} % of the rows are filled`)
  }
  return locked
}

/** Fills the rows of a chunk that nobody has locked; returns whether these were all. */
async function fillPages(db: Knex, { table, column, value }: Fill, page: number): Promise<boolean> {
  const unfilled = `ctid >= '(${page},0)'::tid and ctid < '(${page + CHUNK_PAGES},0)'::tid
    and "${column}" is null`
  await db.raw(
    `with unlocked as materialized (
       select ctid as place from "${table}" where ${unfilled} for no key update skip locked
     )
     update "${table}" set "${column}" = ${value}
     where ctid = any(array(select place from unlocked))`,
  )
  const { rows } = await db.raw(
    `select exists (select from "${table}" where ${unfilled}) as "isLeft"`,
  )
  return !rows[0].isLeft
}
