import type { Knex } from 'knex'

/** Releases before this migration run beside it; only their audit does not know the totals. */
export const runsWith = '037-ledger-seals'

/**
 * Totals of sessions that ended long ago and whose rows are deleted (decision 41), one row a member,
 * and how far the day's pass over the buckets has come.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table folded_sessions (
      bucket smallint not null,
      "userId" integer not null,
      -- No session with a higher id is part of the totals.
      "lastId" bigint not null,
      sessions integer not null,
      "creditedIntervals" integer not null,
      reward numeric(20, 8) not null,
      "usdtReward" numeric(20, 8) not null,
      "firstStart" timestamptz not null,
      "lastEnd" timestamptz not null,
      primary key (bucket, "userId"),
      constraint folded_sessions_bucket_check check (bucket = ("userId" % 1024))
    );

    -- The next session to look at: those of the bucket with a higher id than "afterId".
    create table session_fold_position (
      singleton boolean primary key default true check (singleton),
      -- Product time.
      day date not null,
      bucket smallint not null,
      "afterId" bigint not null
    );
    insert into session_fold_position (day, bucket, "afterId") values ('-infinity', 0, 0);

    comment on column ledger_merges.day is 'Partition of any length that is being merged into "month"';
    comment on column ledger_merges.month is 'Partition of any length that takes its place';
  `)
}
