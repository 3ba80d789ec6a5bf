import type { Knex } from 'knex'

/** The release before calls the same function. */
export const runsWith = '001-baseline'

/**
 * Product time as before. PostgreSQL plans a function in SQL again in each statement that calls it, and keeps
 * the plans of PL/pgSQL.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create or replace function product_now() returns timestamptz language plpgsql volatile as $$
    declare
      clock product_clock;
    begin
      select * into clock from product_clock;
      return date_trunc('milliseconds',
        clock."productAnchor" + (clock_timestamp() - clock."realAnchor") * clock.speed);
    end $$
  `)
}
