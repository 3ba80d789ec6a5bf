import type { Knex } from 'knex'

/**
 * Earlier rates of sessions, so that each credit of a rolled-up row can be recomputed. A change of
 * the rate writes the rate that ends; a session whose rate never changed has no row.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table mining_rates (
      "sessionId" bigint not null,
      since timestamptz not null,
      "hashRate" numeric(20, 8),
      primary key ("sessionId", since)
    );
    comment on column mining_rates."hashRate" is
      'TESP per hour from "since" until the next rate; null if the rate changed before this table existed';
    insert into mining_rates ("sessionId", since)
      select id, "startTime" from mining_sessions where "tespAccrued" <> 0;
    create index mining_rates_unknown on mining_rates ("sessionId") where "hashRate" is null;
  `)
}
