import type { Knex } from 'knex'

/**
 * Sealed days of the ledger (decision 26): a chain of seals, and the leaves of the last seal of each
 * day, in blocks, from which proofs are read.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ledger_seals (
      number integer primary key,
      day date not null,
      reason text not null check (reason in ('day', 'late rows', 'roll-up')),
      rows bigint not null,
      members integer not null,
      root bytea not null,
      previous bytea not null,
      hash bytea not null unique,
      -- Real time, to the millisecond, because the hash covers it.
      "sealedAt" timestamptz not null,
      signature bytea,
      "publicKey" bytea,
      -- Key of the members' salts; never published.
      salt bytea not null,
      "leavesId" uuid not null unique
    );
    create index ledger_seals_day on ledger_seals (day, number desc);
    create index ledger_seals_unsigned on ledger_seals (number) where signature is null;

    create table ledger_leaves (
      "leavesId" uuid not null,
      block integer not null,
      -- Members in ascending order, the number of rows and the leaf (32 bytes) of each.
      "firstMember" integer not null,
      members integer[] not null,
      counts integer[] not null,
      leaves bytea not null,
      root bytea not null,
      primary key ("leavesId", block)
    );
    create index ledger_leaves_member on ledger_leaves ("leavesId", "firstMember");
    -- Hashes do not compress.
    alter table ledger_leaves alter column leaves set storage external;

    -- The day that is sealed next, once every transaction has ended that began before "dueAt".
    create table ledger_seal_due (
      day date primary key,
      "dueAt" timestamptz not null
    );

    alter table ledger_rollups add column "isSealChecked" boolean not null default false;
  `)
}
