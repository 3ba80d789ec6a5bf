import type { Knex } from 'knex'

/** Key of the advisory lock that a process holds while it rewrites partitions of the ledger. */
const REWRITE_LOCK = 7_300_102

/** Tables that are filled beside partitions of the ledger and have not taken their place. */
const UNATTACHED_SQL = `
  select relname as name from pg_class
  where relname ~ '^wallet_activity_[0-9]+(_rolled)?$' and relkind = 'r' and not relispartition`

/**
 * Ends merges and roll-ups of partitions that are not complete, whose triggers copy late rows. The
 * partitions stay as they are.
 */
export async function discardRewrites(db: Knex): Promise<void> {
  await db.raw(`select pg_advisory_xact_lock(${REWRITE_LOCK})`)
  const { rows } = await db.raw(UNATTACHED_SQL)
  for (const { name } of rows) await db.raw('drop table ??', [name])
  await db('ledger_rollups').whereNull('swappedAt').delete()
  await db.raw('truncate ledger_late_rows, ledger_merges')
}
