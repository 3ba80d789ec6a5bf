import type { Knex } from 'knex'

/**
 * Keyed hashes of the e-mail addresses of deleted members who were counted in a team: an address is
 * not counted again, otherwise one mailbox could fill a team. Members and codes store the hash of
 * their address while they exist.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table email_codes add column "addressHash" text;
    alter table users
      add column "addressHash" text,
      add constraint users_deleted_has_no_address
        check ("deletedAt" is null or "addressHash" is null);
    create table counted_addresses (
      hash text primary key,
      "createdAt" timestamptz not null default now()
    );
    create index counted_addresses_created on counted_addresses ("createdAt");
  `)
}
