import type { Knex } from 'knex'

/**
 * Counters of the Network screen, so that no request counts a table. They are spread over a few
 * rows (buckets) against lock contention and change in the transaction of what they count.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table network_counters (
      bucket smallint primary key,
      "activeSessions" integer not null default 0,
      "activeRate" numeric(20, 8) not null default 0,
      "ledgerRows" bigint not null default 0
    ) with (fillfactor = 50);
    insert into network_counters (bucket) select generate_series(0, 15);
    update network_counters set
      "activeSessions" = (select count(*) from mining_sessions where active),
      "activeRate" = (select coalesce(sum("hashRate"), 0) from mining_sessions where active),
      "ledgerRows" = (select count(*) from wallet_activity)
    where bucket = 0;

    create table network_hours (
      hour timestamptz not null,
      bucket smallint not null,
      credits integer not null default 0,
      primary key (hour, bucket)
    ) with (fillfactor = 50);
  `)
}
