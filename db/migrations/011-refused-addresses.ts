import type { Knex } from 'knex'

/** The release before knows nothing of it and mails such addresses again. */
export const runsWith = '001-baseline'

/** E-mail addresses whose mail server refuses them for good (rules.md: Codes by e-mail). */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table refused_addresses (
      -- Case-folded address, as in mails.
      "recipientKey" text primary key,
      -- The answer of the mail server.
      reason text not null,
      "refusedAt" timestamptz not null default now()
    );
    create index refused_addresses_age on refused_addresses ("refusedAt");
  `)
}
