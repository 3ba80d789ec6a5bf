import type { Knex } from 'knex'

/** The language of a member's mails; null until the member has chosen one or registered with it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users
      add column language text,
      add constraint users_language_is_known check (language in ('en', 'vi')),
      add constraint users_deleted_has_no_language check ("deletedAt" is null or language is null);
  `)
}
