import type { Knex } from 'knex'
import type { Tx } from './transaction.ts'

/** Rows in memory at a time. */
const PAGE = 1_000

/**
 * Reads the rows of a query in batches through a server-side cursor, so that memory is bounded by
 * one batch. A transaction can read one query at a time this way.
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
