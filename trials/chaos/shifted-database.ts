import { databaseAt, withClient } from '#db/postgres/connection/admin'

/**
 * Functions that replace `now()`, `statement_timestamp()` and `clock_timestamp()` in one database.
 * They precede pg_catalog in its search path, so statements, functions and defaults all use them.
 */
const SHADOWS = `
  create schema shifted;
  create table shifted.clock (shift interval not null);
  insert into shifted.clock values ('0');
  grant usage on schema shifted to public;
  create function shifted.clock_timestamp() returns timestamptz language sql volatile as
    'select pg_catalog.clock_timestamp() + shift from shifted.clock';
  create function shifted.statement_timestamp() returns timestamptz language sql stable as
    'select pg_catalog.statement_timestamp() + shift from shifted.clock';
  create function shifted.now() returns timestamptz language sql stable as
    'select pg_catalog.now() + shift from shifted.clock';
  do $$ declare c record; begin
    for c in select table_name, column_name from information_schema.columns
      where table_schema = 'public' and column_default = 'now()'
    loop
      execute format('alter table public.%I alter column %I set default shifted.now()',
        c.table_name, c.column_name);
    end loop;
  end $$`

/** Prepares a database for `shiftDatabase`; connections that are already open are not affected. */
export async function shiftableDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(SHADOWS)
    const name = new URL(url).pathname.slice(1)
    await client.query(`alter database "${name}" set search_path = public, shifted, pg_catalog`)
  })
}

/** Sets the database's clock `ms` ahead of real time, or behind it if negative. */
export async function shiftDatabase(url: string, ms: number): Promise<void> {
  await withClient(databaseAt(url, new URL(url).pathname.slice(1)), (client) =>
    client.query(`update shifted.clock set shift = $1 * interval '1 millisecond'`, [ms]),
  )
}
