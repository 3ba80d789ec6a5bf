import type { Knex } from 'knex'

/**
 * How far the sweeps have credited each bucket. Starts at the epoch: the first sweep of a bucket reads
 * all of its slots.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table credit_sweeps (
      bucket smallint primary key,
      "sweptTo" timestamptz not null default to_timestamp(0)
    ) with (fillfactor = 50);
    comment on column credit_sweeps."sweptTo" is
      'Product time: every interval of the bucket that ended before is credited';
    insert into credit_sweeps (bucket) select generate_series(0, 7);
    -- Without statistics Postgres assumes 1,000 buckets and plans the credit lag too dear.
    analyze credit_sweeps;
    comment on column wallet_activity.description is
      'Empty for an automatic credit, whose text follows from its type; see descriptionSql';
  `)
}
