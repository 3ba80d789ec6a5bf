import type { Knex } from 'knex'

/**
 * Runs a statement on the tables of one shard, on the node that has it. The statement is a format whose arguments are
 * the tables, then the values: `%1$I` is the first table, `%3$L` the first value after two tables. Literals are
 * converted once; the text of an array or a time as a parameter would be converted again for each row.
 *
 * A writer of Citus holds the lock of a shard's metadata in the same mode (5, `ShareLock`), so this and a move of the
 * shard wait for each other. A shard that has been moved away is reported as 40001: the statement is sent again and
 * reaches the other node. After a split, `buckets` are on several shards and the statement would leave some out: an
 * error until `npm run migrate` has divided them again.
 */
const RUN_SQL = `
  create or replace function run_on_shard(
    bucket smallint, buckets smallint[], tables text[], statement text, given text[]
  ) returns setof json language plpgsql volatile as $fn$
  declare
    shard bigint := get_shard_id_for_distribution_column('wallets', bucket);
    names text[];
  begin
    perform lock_shard_metadata(5, array[shard]);
    if not exists (
      select from pg_dist_placement p join pg_dist_local_group g on g.groupid = p.groupid
      where p.shardid = shard
    ) then
      raise exception 'bucket % is not on this node', bucket using errcode = '40001';
    end if;
    if exists (
      select from unnest(buckets) other
      where get_shard_id_for_distribution_column('wallets', other) <> shard
    ) then
      raise exception 'a shard was split: divide the sweeps again with npm run migrate'
        using errcode = 'object_not_in_prerequisite_state';
    end if;
    select array_agg(
        name || '_' || get_shard_id_for_distribution_column(name::regclass, bucket) order by place
      ) into names
    from unnest(tables) with ordinality t(name, place);
    return query execute format(statement, variadic names || given);
  end $fn$`

const DISTRIBUTED_SQL = `
  select create_distributed_function('run_on_shard(smallint, smallint[], text[], text, text[])', 'bucket',
    colocate_with => 'wallets', force_delegation => true)`

/**
 * Prepares distributed tables for statements that run on a shard. Nodes share no sequence, so each wallet counts its
 * postings, after those that exist, which orders its ledger rows.
 */
export async function prepareShards(db: Knex): Promise<void> {
  const { rows } = await db.raw(`select last_value as last from wallet_activity_seq`)
  await db.raw(`alter table wallets add column "lastSeq" bigint not null default ${rows[0].last}`)
  await db.raw(RUN_SQL)
  await db.raw(DISTRIBUTED_SQL)
}

/**
 * Trigger of the shards of a partition that is being merged: writes a late row into the shard of the month too, which
 * has the same buckets, so is on the same node. It rejects other changes: ledger rows never change.
 */
const MIRROR_SQL = `
  create or replace function mirror_row_on_shard() returns trigger language plpgsql as $fn$
  begin
    if tg_op <> 'INSERT' then
      raise exception 'ledger rows of % cannot change while it is merged', tg_table_name;
    end if;
    execute format(
      'insert into %1$I select (jsonb_populate_record(null::%1$I, to_jsonb($1))).*',
      tg_argv[0] || '_' || get_shard_id_for_distribution_column(tg_argv[0]::regclass, new.bucket))
      using new;
    return null;
  end $fn$`

/** Creates the function on every node, and on nodes that join later. */
export async function prepareMerges(db: Knex): Promise<void> {
  await db.raw(MIRROR_SQL)
  await db.raw(`select create_distributed_function('mirror_row_on_shard()')`)
}
