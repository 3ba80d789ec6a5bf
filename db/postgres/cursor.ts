import type { Knex } from 'knex'
import type { Tx } from './transaction.ts'

/** Rows that are in memory at a time. */
const PAGE = 1_000

/**
 * The rows of a query, a page at a time, by a cursor of the transaction: however many there are,
 * one page is held. One such reading at a time in a transaction.
 */
export async function* cursorBatches<Row>(
  tx: Tx,
  query: Knex.QueryBuilder,
  page = PAGE,
): AsyncGenerator<Row[]> {
  await tx.raw('declare paged no scroll cursor for ?', [query])
  for (;;) {
    const { rows } = await tx.raw(`fetch ${page} from paged`)
    if (rows.length > 0) yield rows
    if (rows.length < page) break
  }
  await tx.raw('close paged')
}
