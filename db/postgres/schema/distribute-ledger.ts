import { hasCitus } from '#db/migrations/citus/distribute-later'
import { distributeTables, divideSweeps } from '#db/migrations/citus/distribute-tables'
import { guardActions } from '#db/migrations/citus/guard-actions'
import { prepareMerges } from '#db/migrations/citus/mirror-on-shard'
import { prepareShards } from '#db/migrations/citus/run-on-shard'
import type { Report } from '#db/migrations/online/report'
import type { Db } from '#db/postgres/statements/transaction'

/** Distributed tables and their partitions whose rows are on the coordinator too. */
const LEFT_SQL = `
  select logicalrelid::regclass::text as name from pg_dist_partition
  where partmethod = 'h' and pg_relation_size(logicalrelid) > 0`

/** Whether a shard was split, so that the buckets of a sweep are on several ones. */
const SPLIT_SQL = `
  select exists (
    select from credit_sweeps, unnest(buckets) bucket group by "firstBucket"
    having count(distinct get_shard_id_for_distribution_column('wallets', bucket)) > 1
  ) as "isSplit"`

/** Divides the sweeps by the shards that there are. What is due stays due. */
async function divideSweepsAgain(db: Db, report: Report): Promise<void> {
  if (!(await db.raw(SPLIT_SQL)).rows[0].isSplit) return
  report('credit_sweeps: dividing by the shards')
  await db.transaction((tx) => divideSweeps(tx))
}

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
      await prepareMerges(tx)
    })
  }
  await db.transaction((tx) => guardActions(tx))
  await divideSweepsAgain(db, report)
  const left: { rows: { name: string }[] } = await db.raw(LEFT_SQL)
  for (const { name } of left.rows) {
    await db.raw('select truncate_local_data_after_distributing_table(?::regclass)', [name])
  }
}
