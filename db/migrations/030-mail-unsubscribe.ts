import type { Knex } from 'knex'

/** Mails that a member can switch off by a link: the member. The link is made when the mail is sent. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table mails add column "unsubscribes" integer')
}
