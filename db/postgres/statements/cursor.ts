import type { Knex } from 'knex'
import type { Tx } from './transaction.ts'

const PAGE = 1_000

/** Reads through a server-side cursor: memory holds one batch. A transaction can read one query at a time so. */
export async function* cursorBatches<Row>(
  tx: Tx,
  query: Knex.QueryBuilder | Knex.Raw,
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
