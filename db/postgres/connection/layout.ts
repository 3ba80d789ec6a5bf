import type { Db } from '#db/postgres/statements/transaction'

/** SQL: whether the database has the extension Citus, which spreads members' rows over several servers. */
export const IS_DISTRIBUTED_SQL = `exists (select from pg_extension where extname = 'citus')`

/** What the connections of a pool have found out about its database; empty before the first one. */
export type Layout = { isDistributed?: boolean }

/**
 * Whether statements have to name the node that serves them (decision 29). Read once a pool: an
 * extension is installed before the tables are made. The split statements are right on one server too.
 */
export async function isDistributed(db: Db): Promise<boolean> {
  const layout: Layout = db.client.config.layout ?? {}
  if (layout.isDistributed === undefined) {
    const { rows } = await db.raw(`select ${IS_DISTRIBUTED_SQL} as "isDistributed"`)
    layout.isDistributed = Boolean(rows[0].isDistributed)
  }
  return layout.isDistributed
}
