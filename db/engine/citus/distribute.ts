import type { Knex } from 'knex'
import type { Report } from '#db/engine/engine'
import { BUCKETED } from '#db/ledger/audit/member-rules'
import { STEP_LOCK } from '#db/ledger/steps'
import { withoutTimeLimit } from '#db/postgres/statements/batch-settings'
import type { Db } from '#db/postgres/statements/transaction'
import { BUCKETS } from '#rules/buckets'
import { prepareMerges, prepareShards } from './shard-functions.ts'

/** Tables whose keys begin with the bucket, in the order of distribution; one node has all rows of a bucket. */
export const DISTRIBUTED = [
  // The others are placed with it.
  'wallets',
  ...BUCKETED.filter((table) => table !== 'wallets'),
  'wallet_activity',
  'ledger_facts',
  'network_counters',
  'network_hours',
]

/** Tables that are filled to replace partitions of the ledger and are not attached yet. */
const UNATTACHED_SQL = `
  select relname as name from pg_class
  where relname ~ '^wallet_activity_[0-9]+(_rolled)?$' and relkind = 'r' and not relispartition`

/** Discards incomplete merges and roll-ups, whose triggers copy late rows. The partitions stay as they are. */
async function discardRewrites(db: Knex): Promise<void> {
  await db.raw(`select pg_advisory_xact_lock(${STEP_LOCK})`)
  const { rows } = await db.raw(UNATTACHED_SQL)
  for (const { name } of rows) await db.raw('drop table ??', [name])
  await db('ledger_rollups').whereNull('swappedAt').delete()
  await db.raw('truncate ledger_late_rows, ledger_merges')
}

/** Citus refuses foreign keys to tables of the coordinator; the audit has their rules. */
async function dropForeignKeys(db: Knex, table: string): Promise<void> {
  const { rows } = await db.raw(
    `select conname as name from pg_constraint where contype = 'f' and conrelid = ?::regclass`,
    [table],
  )
  for (const { name } of rows) await db.raw('alter table ?? drop constraint ??', [table, name])
}

/** Citus refuses triggers of distributed tables and their partitions; `logPollChange` writes their rows. */
async function dropTriggers(db: Knex, table: string): Promise<void> {
  const { rows } = await db.raw(
    `select tgname as name, tgrelid::regclass::text as "on" from pg_trigger
     where not tgisinternal and tgparentid = 0 and tgrelid in (
       select :table::regclass union all
       select inhrelid from pg_inherits where inhparent = :table::regclass)`,
    { table },
  )
  for (const { name, on } of rows) await db.raw('drop trigger ?? on ??', [name, on])
}

/** Nodes cannot share an integer identity. The coordinator inserts all rows, so a sequence there numbers them. */
async function replaceIdentity(db: Knex, table: string): Promise<void> {
  const { rows } = await db.raw(
    `select attname as name, coalesce(pg_sequence_last_value(
         pg_get_serial_sequence(?, attname)::regclass), 0) as last
     from pg_attribute where attrelid = ?::regclass and attidentity <> ''`,
    [table, table],
  )
  for (const { name, last } of rows) {
    const sequence = `${table}_${name}_numbers`
    await db.raw('alter table ?? alter column ?? drop identity', [table, name])
    await db.raw(`create sequence ?? start with ${Number(last) + 1}`, [sequence])
    await db.raw(`alter table ?? alter column ?? set default nextval('${sequence}')`, [table, name])
  }
}

/** A sweep takes the buckets of one shard of Citus: one node serves its statements. */
async function divideSweeps(db: Knex): Promise<void> {
  await db.raw(`
    create temporary table divided on commit drop as
      select array_agg(b::smallint order by b) as buckets, min(s."sweptTo") as "sweptTo"
      from generate_series(0, ${BUCKETS - 1}) b, (select min("sweptTo") as "sweptTo" from credit_sweeps) s
      group by get_shard_id_for_distribution_column('wallets', b::smallint);
    delete from credit_sweeps;
    insert into credit_sweeps ("firstBucket", "lastBucket", buckets, "sweptTo")
      select buckets[1], buckets[array_upper(buckets, 1)], buckets, "sweptTo" from divided`)
  await db.raw(`
    insert into network_counters (bucket, lane) select "firstBucket", 0 from credit_sweeps
    on conflict do nothing`)
}

const NUMBERED_SQL = `
  select attrelid::regclass::text as table, attname as column,
    pg_sequence_last_value(pg_get_serial_sequence(attrelid::regclass::text, attname)::regclass) as last
  from pg_attribute join pg_class c on c.oid = attrelid
  where attidentity <> '' and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and not exists (select from pg_dist_partition where logicalrelid = attrelid)`

/** Coordinator tables that change in one transaction with rows of a node and have no foreign key to `users`. */
const CHANGED_WITH_NODES = ['tasks', 'telegram_claims', 'reminders', 'mining_rates']

const UNKNOWN_SQL = `
  select name from unnest(:tables::text[]) name
  where not exists (select from pg_dist_partition where logicalrelid = name::regclass)`

const REGISTERED = ['users', ...CHANGED_WITH_NODES]

/** Whether Citus knows every table that it has to know. */
export async function isDistributed(db: Db): Promise<boolean> {
  const { rows } = await db.raw(UNKNOWN_SQL, { tables: [...DISTRIBUTED, ...REGISTERED] })
  return rows.length === 0
}

/**
 * Registers `users`, the tables that refer to it and `CHANGED_WITH_NODES`, so that a change of them and one on a node
 * commit together: otherwise Citus commits on the node first. It restarts their identities at 1, so these are set.
 */
async function registerTables(db: Knex): Promise<void> {
  const unknown = await db.raw(UNKNOWN_SQL, { tables: REGISTERED })
  for (const { name } of unknown.rows) await db.raw('lock table ?? in exclusive mode', [name])
  const { rows } = await db.raw(NUMBERED_SQL)
  for (const { name } of unknown.rows) {
    await db.raw('select citus_add_local_table_to_metadata(?, cascade_via_foreign_keys => ?)', [
      name,
      name === 'users',
    ])
  }
  for (const { table, column, last } of rows) {
    if (last === null) continue
    await db.raw(
      `select setval(pg_get_serial_sequence(:table, :column), :last) from pg_dist_partition
       where logicalrelid = :table::regclass`,
      { table, column, last },
    )
  }
}

async function distributeTable(db: Knex, table: string, report: Report): Promise<void> {
  report(`${table}: distributing`)
  await dropForeignKeys(db, table)
  await dropTriggers(db, table)
  await replaceIdentity(db, table)
  const colocated = table === 'wallets' ? 'none' : 'wallets'
  await db.raw(`select create_distributed_table(?, 'bucket', colocate_with => ?)`, [
    table,
    colocated,
  ])
}

/** Distributes the tables of migrations that came after the others were distributed. */
async function distributeLaterTables(db: Db, report: Report): Promise<void> {
  const { rows } = await db.raw(UNKNOWN_SQL, { tables: DISTRIBUTED })
  for (const { name } of rows) {
    await db.transaction(async (tx) => {
      await withoutTimeLimit(tx)
      await distributeTable(tx, name, report)
    })
  }
}

async function distributeTables(db: Knex, report: Report): Promise<void> {
  const { rows } = await db.raw(`select count(*) as nodes from pg_dist_node where groupid <> 0`)
  if (rows[0].nodes === 0) {
    throw new Error('Citus has no worker node: add one with citus_add_node, then migrate again')
  }
  // One connection for each node: with more, a transaction that changes rows of several buckets cannot
  // change a table afterwards.
  await db.raw(`
    do $$ begin
      execute format('alter database %I set citus.multi_shard_modify_mode = ''sequential''',
        current_database());
    end $$;
    set local citus.multi_shard_modify_mode = 'sequential'`)
  await discardRewrites(db)
  for (const table of DISTRIBUTED) await distributeTable(db, table, report)
  await divideSweeps(db)
  await registerTables(db)
}

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

/** Keeps operators' log append-only: Citus writes to shards, and copies no statement triggers to them. */
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

/**
 * Distributes the tables of a database that was filled before Citus was installed. In one transaction: a process that
 * is killed leaves them as they were. Then the rows that Citus copied are deleted on the coordinator.
 */
export async function distributeLedger(db: Db, report: Report): Promise<void> {
  const { rows } = await db.raw(
    `select from pg_dist_partition where logicalrelid = 'wallets'::regclass`,
  )
  if (rows.length === 0) {
    await db.transaction(async (tx) => {
      await withoutTimeLimit(tx)
      await distributeTables(tx, report)
      await prepareShards(tx)
      await prepareMerges(tx)
    })
  }
  await distributeLaterTables(db, report)
  await db.transaction(registerTables)
  await db.transaction((tx) => guardActions(tx))
  await divideSweepsAgain(db, report)
  const left: { rows: { name: string }[] } = await db.raw(LEFT_SQL)
  for (const { name } of left.rows) {
    await db.raw('select truncate_local_data_after_distributing_table(?::regclass)', [name])
  }
}
