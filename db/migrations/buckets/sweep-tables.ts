import type { Knex } from 'knex'

/**
 * The position of a sweep belongs to a range of 128 buckets. The ranges hold other members than the
 * rows before, so all start at the earliest position.
 */
export async function replacePositions(tx: Knex.Transaction): Promise<void> {
  await tx.raw(`
    alter table credit_sweeps rename to credit_sweeps_before;
    alter index credit_sweeps_pkey rename to credit_sweeps_before_pkey;
    create table credit_sweeps (
      "firstBucket" smallint primary key,
      "lastBucket" smallint not null,
      "sweptTo" timestamptz not null default to_timestamp(0)
    ) with (fillfactor = 50);
    comment on column credit_sweeps."sweptTo" is
      'Product time: every interval of the buckets that ended before is credited';
    insert into credit_sweeps
      select n * 128, n * 128 + 127, (select min("sweptTo") from credit_sweeps_before)
      from generate_series(0, 7) n;
    drop table credit_sweeps_before;
    analyze credit_sweeps`)
}

/**
 * Counters belong to a bucket. Lane 0 counts the credits of sweeps, in the first bucket of their range;
 * lane 1 what members do, in their own bucket.
 */
export async function replaceCounters(tx: Knex.Transaction): Promise<void> {
  await tx.raw(`
    alter table network_counters rename to network_counters_before;
    alter index network_counters_pkey rename to network_counters_before_pkey;
    create table network_counters (
      bucket smallint not null,
      lane smallint not null,
      "activeSessions" integer not null default 0,
      "activeRate" numeric(20, 8) not null default 0,
      "ledgerRows" bigint not null default 0,
      primary key (bucket, lane)
    ) with (fillfactor = 50);
    insert into network_counters (bucket, lane) select n * 128, 0 from generate_series(0, 7) n;
    insert into network_counters (bucket, lane) select n, 1 from generate_series(0, 1023) n;
    update network_counters set "activeSessions" = b.sessions, "activeRate" = b.rate,
        "ledgerRows" = b.rows
      from (select sum("activeSessions") as sessions, sum("activeRate") as rate,
        sum("ledgerRows") as rows from network_counters_before) b
      where bucket = 0 and lane = 1;
    drop table network_counters_before;
    analyze network_counters;

    alter table network_hours rename to network_hours_before;
    alter index network_hours_pkey rename to network_hours_before_pkey;
    create table network_hours (
      bucket smallint not null,
      hour timestamptz not null,
      credits integer not null default 0,
      primary key (bucket, hour)
    ) with (fillfactor = 50);
    insert into network_hours select 0, hour, sum(credits) from network_hours_before group by hour;
    drop table network_hours_before`)
}
