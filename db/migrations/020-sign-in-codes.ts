import type { Knex } from 'knex'

/** Codes by e-mail may also be the second step of a sign-in. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table email_codes drop constraint email_codes_purpose_check;
    alter table email_codes add constraint email_codes_purpose_check
      check (purpose in ('register', 'reset', 'sign-in'));
  `)
}
