import type { Report } from '#db/migrations/index'
import type { Db } from '#db/postgres/statements/transaction'
import { distributeTables, divideSweeps } from './distribute-tables.ts'
import { prepareMerges, prepareShards } from './shard-functions.ts'

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

const UNGUARDED_SQL = `
  select name from (
    select 'operator_actions_' || shardid as name from pg_dist_shard
    where logicalrelid = 'operator_actions'::regclass
  ) shard
  where not exists (
    select from pg_trigger where tgrelid = to_regclass(name) and tgname = 'operator_actions_append_only')`

/**
 * Keeps the log of operators' actions append-only on Citus. Citus writes a table of its own in the place of
 * each that it knows, and copies no trigger for each statement to it.
 */
async function guardActions(db: Db): Promise<void> {
  const { rows } = await db.raw(UNGUARDED_SQL)
  for (const { name } of rows) {
    await db.raw(`
      set local citus.enable_manual_changes_to_shards = on;
      create trigger operator_actions_append_only before update or delete or truncate on ${name}
        for each statement execute function refuse_change('operator_actions');
      alter table ${name} enable always trigger operator_actions_append_only`)
  }
}

/** Whether the extension Citus is installed in the database. */
async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await db.raw(`select from pg_extension where extname = 'citus'`)
  return rows.length > 0
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
