import type { Knex } from 'knex'

/**
 * Trigger of the shards of a partition that is being merged (migration 044): writes a row that arrives
 * late into the shard of the span too. Both shards hold the same buckets, so they are on one node.
 * It rejects other changes, because ledger rows never change.
 */
const FUNCTION_SQL = `
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
  await db.raw(FUNCTION_SQL)
  await db.raw(`select create_distributed_function('mirror_row_on_shard()')`)
}
