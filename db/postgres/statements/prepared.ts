import type { Knex } from 'knex'
import type { Db } from './transaction.ts'

/**
 * A statement that each connection parses once and plans a few times at most, under this name.
 * For hot statements whose best plan does not depend on their values. One name stands for one text.
 * Plain if the pool was opened without prepared statements (`connect`).
 */
export function prepared(
  db: Db,
  name: string,
  sql: string,
  bindings: Record<string, unknown>,
): Knex.Raw {
  const raw = db.raw(sql, bindings as Knex.RawBinding)
  return db.client.config.preparedStatements ? raw.options({ name }) : raw
}
