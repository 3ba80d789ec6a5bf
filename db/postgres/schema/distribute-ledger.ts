import { hasCitus } from '#db/migrations/citus/distribute-later'
import { distributeTables } from '#db/migrations/citus/distribute-tables'
import { prepareShards } from '#db/migrations/citus/run-on-shard'
import type { Report } from '#db/migrations/online/report'
import type { Db } from '#db/postgres/statements/transaction'

/** Distributed tables and their partitions whose rows are on the coordinator too. */
const LEFT_SQL = `
  select logicalrelid::regclass::text as name from pg_dist_partition
  where partmethod = 'h' and pg_relation_size(logicalrelid) > 0`

/**
 * Distributes the tables of a database that was filled before Citus was installed; nothing happens without
 * the extension and if they are distributed. In one transaction: a process that is killed leaves the
 * tables where they are. Then the rows that Citus copied are deleted on the coordinator.
 */
export async function distributeLedger(db: Db, report: Report): Promise<void> {
  if (!(await hasCitus(db))) return
  const { rows } = await db.raw(
    `select from pg_dist_partition where logicalrelid = 'wallets'::regclass`,
  )
  if (rows.length === 0) {
    await db.transaction(async (tx) => {
      await distributeTables(tx, report)
      await prepareShards(tx)
    })
  }
  const left: { rows: { name: string }[] } = await db.raw(LEFT_SQL)
  for (const { name } of left.rows) {
    await db.raw('select truncate_local_data_after_distributing_table(?::regclass)', [name])
  }
}
