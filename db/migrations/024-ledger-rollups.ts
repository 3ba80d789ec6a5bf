import type { Knex } from 'knex'

/**
 * Progress of rolling up the credits of old partitions of the ledger (decision 20). While a partition
 * is rolled up, triggers write rows that arrive late into `ledger_late_rows` and into the new table;
 * `mirror_ledger_row` (migration 014) rejects other changes.
 *
 * The ids of rolled-up credits are gone, so the primary key cannot reject a second payment of such an
 * interval. `refuse_rolled_credit` does; it is a trigger of rolled-up partitions only, where hardly a
 * row arrives, so it costs the other credits nothing.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ledger_rollups (
      partition text primary key,
      -- The partition is read by members: "userId" modulo "passes", one remainder a transaction.
      passes integer not null,
      "rolledPasses" integer not null default 0,
      "isIndexed" boolean not null default false,
      "verifiedPasses" integer not null default 0,
      -- The last transaction that wrote rolled-up rows.
      "copiedBy" xid8,
      -- Real time at which the rolled-up table took the place of the partition.
      "swappedAt" timestamptz,
      "bytesBefore" bigint not null,
      "bytesAfter" bigint
    );
    create table ledger_late_rows (like wallet_activity including defaults);
    comment on table ledger_late_rows is
      'Copies of rows that arrived while their partition was rolled up; empty at other times';

    create function refuse_rolled_credit() returns trigger language plpgsql as $$
    begin
      if exists (
        select from wallet_activity a
        where a."userId" = new."userId" and a."createdAt" >= new."createdAt"
          and a."createdAt" < date_bin('24 hours', new."createdAt", to_timestamp(0)) + interval '24 hours'
          and a.id like 'credit:%-%' and split_part(a.id, ':', 2) = split_part(new.id, ':', 2)
          and split_part(new.id, ':', 3)::integer
            >= split_part(split_part(a.id, ':', 3), '-', 1)::integer
      ) then
        raise unique_violation using constraint = 'wallet_activity_rolled_up',
          message = 'the credit ' || new.id || ' is part of a rolled-up row';
      end if;
      return new;
    end $$;
  `)
}
