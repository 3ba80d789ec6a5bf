import type { Knex } from 'knex'
import { buildIndex } from '#db/migrations/online/build-index'
import { fillColumn } from '#db/migrations/online/fill-column'
import type { Report } from '#db/migrations/online/report'
import { withShortLock } from '#db/migrations/online/short-lock'
import { isIndexed, isValidated } from './catalogue.ts'
import { partitionNames } from './rewrites.ts'

const CONSTRAINTS = ['wallet_activity_bucket_check', 'wallet_activity_bucket_filled']

/** The new indexes of the ledger; `name` ends their names in the partitions. */
const INDEXES = [
  {
    ledger: 'wallet_activity_next_key',
    name: 'key',
    on: 'bucket, id, "createdAt"',
    isUnique: true,
  },
  {
    ledger: 'wallet_activity_next_newest',
    name: 'recent',
    on: 'bucket, "userId", "createdAt" desc, seq desc',
    isUnique: false,
  },
]

/** Adds the column, empty. From now on a trigger fills it in what the earlier release writes. */
export async function addLedgerColumn(tx: Knex.Transaction): Promise<void> {
  await tx.raw(`
    alter table wallet_activity add column bucket smallint;
    alter table wallet_activity add constraint wallet_activity_bucket_check
      check (bucket = "userId" % 1024) not valid;
    alter table wallet_activity add constraint wallet_activity_bucket_filled
      check (bucket is not null) not valid;
    alter table ledger_late_rows add column bucket smallint;
    create function fill_wallet_activity_bucket() returns trigger language plpgsql as $$
    begin
      new.bucket := new."userId" % 1024;
      return new;
    end $$;
    create trigger fill_bucket before insert on wallet_activity
      for each row when (new.bucket is null) execute function fill_wallet_activity_bucket()`)
  for (const { ledger, on, isUnique } of INDEXES) {
    await tx.raw(
      `create ${isUnique ? 'unique' : ''} index ${ledger} on only wallet_activity (${on})`,
    )
  }
}

/** Fills each partition, proves that and builds its keys, while it is in use. */
export async function fillLedger(db: Knex, report: Report): Promise<void> {
  for (const partition of await partitionNames(db)) {
    if (!(await isValidated(db, partition, 'wallet_activity_bucket_filled'))) {
      report(`${partition}: filling`)
      await fillColumn(db, { table: partition, column: 'bucket', value: '"userId" % 1024' }, report)
      for (const constraint of CONSTRAINTS) {
        await db.raw('alter table ?? validate constraint ??', [partition, constraint])
      }
    }
    await indexPartition(db, partition, report)
  }
}

async function indexPartition(db: Knex, partition: string, report: Report): Promise<void> {
  for (const { ledger, name, on, isUnique } of INDEXES) {
    if (await isIndexed(db, partition, ledger)) continue
    const index = `${partition}_${name}`
    report(`${partition}: building ${index}`)
    await buildIndex(db, partition, { name: index, on, isUnique })
    await withShortLock(db, [partition], (tx) =>
      tx.raw('alter index ?? attach partition ??', [ledger, index]),
    )
  }
}

/** As migration 024, with the bucket of the member. */
const REFUSE_ROLLED_CREDIT = `
  create or replace function refuse_rolled_credit() returns trigger language plpgsql as $$
  begin
    if exists (
      select from wallet_activity a
      where a.bucket = new.bucket and a."userId" = new."userId" and a."createdAt" >= new."createdAt"
        and a."createdAt" < date_bin('24 hours', new."createdAt", to_timestamp(0)) + interval '24 hours'
        and a.id like 'credit:%-%' and split_part(a.id, ':', 2) = split_part(new.id, ':', 2)
        and split_part(new.id, ':', 3)::integer
          >= split_part(split_part(a.id, ':', 3), '-', 1)::integer
    ) then
      raise unique_violation using constraint = 'wallet_activity_rolled_up',
        message = 'the credit ' || new.id || ' is part of a rolled-up row';
    end if;
    return new;
  end $$`

/** Replaces the keys: only catalogues change, because each partition has its keys and "not null". */
export async function takeLedgerKeys(tx: Knex.Transaction): Promise<void> {
  await tx.raw(`
    drop trigger fill_bucket on wallet_activity;
    drop function fill_wallet_activity_bucket();
    alter table wallet_activity validate constraint wallet_activity_bucket_check;
    alter table wallet_activity validate constraint wallet_activity_bucket_filled;
    alter table wallet_activity alter column bucket set not null;
    alter table wallet_activity drop constraint wallet_activity_bucket_filled;
    alter table wallet_activity drop constraint wallet_activity_pkey;
    drop index wallet_activity_newest;
    alter index wallet_activity_next_key rename to wallet_activity_key;
    alter index wallet_activity_next_newest rename to wallet_activity_newest`)
  await tx.raw(REFUSE_ROLLED_CREDIT)
}
