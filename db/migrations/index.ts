import type { Knex } from 'knex'
import * as baseline from './001-baseline.ts'
import * as maintenanceSteps from './002-maintenance-steps.ts'
import * as avatars from './003-avatars.ts'
import * as tasks from './004-tasks.ts'
import * as inbox from './005-inbox.ts'
import * as earnings from './006-earnings.ts'
import * as teamReminders from './007-team-reminders.ts'
import * as noticesTelegram from './008-notices-telegram.ts'
import * as operators from './009-operators.ts'
import * as operatorWork from './010-operator-work.ts'
import * as refusedAddresses from './011-refused-addresses.ts'
import * as productClock from './012-product-clock.ts'

/** Gets lines about the progress of a migration that takes long. */
export type Report = (line: string) => void

/**
 * A migration. `runsWith` names the newest migration of the oldest release that still works on the
 * migrated schema, so that it runs alongside the new release and can be rolled back to
 * (docs/operations/upgrade.md). Absent, only releases with this migration run on it.
 */
export type Step = {
  up(db: Knex, report: Report): Promise<void>
  runsWith?: string
  /** Without a transaction a step must be able to continue after it was interrupted. */
  config?: { transaction: false }
}

/** All migrations in order. A released migration is never changed; changes are new migrations. */
export const MIGRATIONS: Record<string, Step> = {
  '001-baseline': baseline,
  '002-maintenance-steps': maintenanceSteps,
  '003-avatars': avatars,
  '004-tasks': tasks,
  '005-inbox': inbox,
  '006-earnings': earnings,
  '007-team-reminders': teamReminders,
  '008-notices-telegram': noticesTelegram,
  '009-operators': operators,
  '010-operator-work': operatorWork,
  '011-refused-addresses': refusedAddresses,
  '012-product-clock': productClock,
}
