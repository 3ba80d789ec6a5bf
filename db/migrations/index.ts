import type { Knex } from 'knex'
import * as firstRelease from './001-first-release.ts'
import * as usersCreated from './002-users-created.ts'
import * as cleanupIndexes from './003-cleanup-indexes.ts'
import * as personalReminders from './004-personal-reminders.ts'
import * as runningTransactions from './005-running-transactions.ts'
import * as queuedMails from './006-queued-mails.ts'

/**
 * `runsWith` names the newest migration of the oldest release that still works on the migrated schema, so that it
 * runs beside the new release and can be rolled back to (docs/operations/upgrade.md); by default none does.
 */
export type Step = {
  up(db: Knex): Promise<void>
  runsWith?: string
}

/** All migrations in order. A released migration is never changed; changes are new migrations. */
export const MIGRATIONS: Record<string, Step> = {
  '001-first-release': firstRelease,
  '002-users-created': usersCreated,
  '003-cleanup-indexes': cleanupIndexes,
  '004-personal-reminders': personalReminders,
  '005-running-transactions': runningTransactions,
  '006-queued-mails': queuedMails,
}
