import type { Knex } from 'knex'

/**
 * Progress of merging the ledger's days into months. While a day is copied, a trigger writes rows
 * that arrive late into the month too; it rejects other changes, because ledger rows never change.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ledger_merges (
      day text primary key,
      month text not null,
      "nextPage" bigint not null default 0,
      -- The last transaction that copied rows of this day; null until all are copied.
      "copiedBy" xid8,
      verified boolean not null default false
    );
    comment on column ledger_merges.day is 'Partition that is being merged into the table "month"';

    create function mirror_ledger_row() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        raise exception 'ledger rows of % cannot change while it is merged', tg_table_name;
      end if;
      execute format(
        'insert into %1$I select (jsonb_populate_record(null::%1$I, to_jsonb($1))).*', tg_argv[0])
        using new;
      return null;
    end $$;
  `)
}
