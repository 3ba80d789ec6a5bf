import { databaseAt, withClient } from '#db/postgres/admin'

/**
 * Lets the clock of one database jump, as that of its machine would: whatever asks the database for
 * the time by name, `now()` and `clock_timestamp()` alike, in statements, functions and defaults,
 * finds these before those of Postgres.
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

/** Prepares a database for `shiftDatabase`; what is connected already does not see it. */
export async function shiftableDatabase(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(SHADOWS)
    const name = new URL(url).pathname.slice(1)
    await client.query(`alter database "${name}" set search_path = public, shifted, pg_catalog`)
  })
}

/** The database's clock is that many ms before (or, negative, behind) the real one from now on. */
export async function shiftDatabase(url: string, ms: number): Promise<void> {
  await withClient(databaseAt(url, new URL(url).pathname.slice(1)), (client) =>
    client.query(`update shifted.clock set shift = $1 * interval '1 millisecond'`, [ms]),
  )
}
