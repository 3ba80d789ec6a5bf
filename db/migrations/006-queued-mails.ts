import type { Knex } from 'knex'

/** The release before adds the jobs of its own mails; its workers find those of a newer gateway after a minute. */
export const runsWith = '005-running-transactions'

/** When a mail's job was last added, so that workers find the mails without one each second. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table mails add column if not exists "queuedAt" timestamptz;
    create index if not exists mails_to_queue on mails (id)
      where "queuedAt" is null and "sentAt" is null and "failedAt" is null`)
}
