import type { Knex } from 'knex'
import type { Report } from '#db/migrations/index'
import { BUCKETS } from '#rules/buckets'

/**
 * Tables whose keys begin with the bucket, in the order in which they are distributed. Rows of one
 * bucket lie on one node in all of them.
 */
export const DISTRIBUTED = [
  'wallets',
  'mining_sessions',
  'mining_stats',
  'wallet_activity',
  'ledger_facts',
  'idempotency_keys',
  'completed_tasks',
  'team_milestones',
  'usdt_rewards',
  'folded_sessions',
  'network_counters',
  'network_hours',
]

/** The lock of `locked-step.ts`. */
const REWRITE_LOCK = 7_300_102

/** Tables that are filled beside partitions of the ledger and have not taken their place. */
const UNATTACHED_SQL = `
  select relname as name from pg_class
  where relname ~ '^wallet_activity_[0-9]+(_rolled)?$' and relkind = 'r' and not relispartition`

/**
 * Ends merges and roll-ups of partitions that are not complete, whose triggers copy late rows. The
 * partitions stay as they are.
 */
async function discardRewrites(db: Knex): Promise<void> {
  await db.raw(`select pg_advisory_xact_lock(${REWRITE_LOCK})`)
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

/** Citus refuses triggers of distributed tables and their partitions; `logChange` writes their rows. */
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

/**
 * Nodes cannot share an identity column of type integer. All rows are inserted through the coordinator,
 * so a sequence of the coordinator numbers them as before.
 */
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
export async function divideSweeps(db: Knex): Promise<void> {
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
  where attidentity <> '' and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`

/**
 * Registers `users` and the tables that refer to it, so that a change of them and one on a node commit
 * together. Citus numbers their rows from 1 again, so the numbers are set to go on.
 */
async function registerUsers(db: Knex): Promise<void> {
  const { rows } = await db.raw(NUMBERED_SQL)
  await db.raw(
    `select citus_add_local_table_to_metadata('users', cascade_via_foreign_keys => true)`,
  )
  for (const { table, column, last } of rows) {
    if (last === null) continue
    await db.raw('select setval(pg_get_serial_sequence(?, ?), ?)', [table, column, last])
  }
}

/** Distributes the tables over the nodes that the database knows, and registers `users`. */
export async function distributeTables(db: Knex, report: Report): Promise<void> {
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
  for (const table of DISTRIBUTED) {
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
  await divideSweeps(db)
  await registerUsers(db)
}
