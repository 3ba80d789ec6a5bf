import type { Knex } from 'knex'

/** The release before claims reminders in the order of `reminders_due`, which stays. */
export const runsWith = '003-cleanup-indexes'

/** Reminders that are sent before the announcements to all members. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index if not exists reminders_due_personal on reminders ("nextTryAt")
      where "settledAt" is null and kind <> 'announcement'
  `)
}
