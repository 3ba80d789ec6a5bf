import type { Knex } from 'knex'
import { buildIndex, type NewIndex } from '#db/migrations/online/build-index'
import { fillColumn } from '#db/migrations/online/fill-column'
import type { Report } from '#db/migrations/online/report'

/**
 * A table of members' rows that gets the column `bucket`, the bucket of the member, first in its keys.
 * Its columns and indexes have other names while the earlier release still uses the old ones; the last
 * step gives them their final names.
 */
export type Bucketed = {
  table: string
  /** Name of the column until the last step. */
  column: string
  /** Built while the table is in use. The one with the final name `<table>_pkey` is the primary key. */
  indexes: (NewIndex & { final: string })[]
  /** SQL that drops the old keys, except for the primary key. */
  dropOldKeys?: string
}

/** Adds the columns, empty. From now on a trigger fills them in what the earlier release writes. */
export async function addBucketColumns(tx: Knex.Transaction, tables: Bucketed[]): Promise<void> {
  for (const { table, column } of tables) {
    await tx.raw(`
      alter table ${table} add column "${column}" smallint;
      alter table ${table} add constraint ${table}_bucket_check
        check ("${column}" = "userId" % 1024) not valid;
      alter table ${table} add constraint ${table}_bucket_filled
        check ("${column}" is not null) not valid;
      create function fill_${table}_bucket() returns trigger language plpgsql as $$
      begin
        new."${column}" := new."userId" % 1024;
        return new;
      end $$;
      create trigger fill_bucket before insert or update on ${table}
        for each row when (new."${column}" is null) execute function fill_${table}_bucket()`)
  }
}

/** Fills the column, proves it and builds the keys, while the table is in use. */
export async function fillBuckets(db: Knex, bucketed: Bucketed, report: Report): Promise<void> {
  const { table, column, indexes } = bucketed
  await fillColumn(db, { table, column, value: '"userId" % 1024' }, report)
  for (const constraint of ['bucket_check', 'bucket_filled']) {
    await db.raw('alter table ?? validate constraint ??', [table, `${table}_${constraint}`])
  }
  for (const index of indexes) {
    report(`${table}: building ${index.final}`)
    await buildIndex(db, table, index)
  }
  await db.raw('analyze ??', [table])
}

/** Replaces the keys. Only catalogues change, because the validated constraint proves "not null". */
export async function takeBucketKeys(
  tx: Knex.Transaction,
  { table, column, indexes, dropOldKeys }: Bucketed,
): Promise<void> {
  await tx.raw(`
    drop trigger fill_bucket on ${table};
    drop function fill_${table}_bucket();
    ${dropOldKeys ? `${dropOldKeys};` : ''}
    ${column === 'bucket' ? '' : `alter table ${table} rename column "${column}" to bucket;`}
    alter table ${table} alter column bucket set not null;
    alter table ${table} drop constraint ${table}_bucket_filled;
    alter table ${table} drop constraint ${table}_pkey`)
  for (const { name, final } of indexes) {
    await tx.raw(
      final === `${table}_pkey`
        ? `alter table ${table} add constraint "${final}" primary key using index "${name}"`
        : `alter index "${name}" rename to "${final}"`,
    )
  }
}
