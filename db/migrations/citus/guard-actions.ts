import type { Knex } from 'knex'

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
export async function guardActions(db: Knex): Promise<void> {
  const { rows } = await db.raw(UNGUARDED_SQL)
  for (const { name } of rows) {
    await db.raw(`
      set local citus.enable_manual_changes_to_shards = on;
      create or replace function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception '% is append-only', coalesce(tg_argv[0], tg_table_name)
          using errcode = 'restrict_violation';
      end $$;
      create trigger operator_actions_append_only before update or delete or truncate on ${name}
        for each statement execute function refuse_change('operator_actions');
      alter table ${name} enable always trigger operator_actions_append_only`)
  }
}
