import type { Knex } from 'knex'
import * as clock from './001-clock.ts'
import * as members from './002-members.ts'
import * as ledger from './003-ledger.ts'
import * as mining from './004-mining.ts'
import * as teamAndTasks from './005-team-and-tasks.ts'
import * as app from './006-app.ts'
import * as network from './007-network.ts'
import * as documents from './008-documents.ts'
import * as corrections from './009-corrections.ts'
import * as privacy from './010-privacy.ts'
import * as countedAddresses from './011-counted-addresses.ts'
import * as quarantine from './012-quarantine.ts'
import * as creditSweeps from './013-credit-sweeps.ts'
import * as monthMerges from './014-month-merges.ts'
import * as memberChanges from './015-member-changes.ts'
import * as memberCounters from './016-member-counters.ts'
import * as signInCodes from './020-sign-in-codes.ts'
import * as operatorActions from './022-operator-actions.ts'
import * as frozenMembers from './023-frozen-members.ts'
import * as ledgerRollups from './024-ledger-rollups.ts'
import * as miningRates from './025-mining-rates.ts'
import * as memberLanguage from './026-member-language.ts'
import * as reminders from './029-reminders.ts'
import * as mailUnsubscribe from './030-mail-unsubscribe.ts'
import * as memberBuckets from './031-member-buckets.ts'
import * as schemaFloor from './036-schema-floor.ts'
import * as ledgerSeals from './037-ledger-seals.ts'
import * as signInFactors from './038-sign-in-factors.ts'
import * as foldedSessions from './041-folded-sessions.ts'
import * as citus from './042-citus.ts'
import * as shardStatements from './043-shard-statements.ts'
import * as shardMerges from './044-shard-merges.ts'
import type { Report } from './online/report.ts'

/**
 * A migration. `runsWith` names the newest migration of the oldest release that still works on the
 * migrated schema, so that it runs beside the new release and can be rolled back to
 * (docs/operations/upgrade.md). Absent, only releases with this migration run on it.
 */
export type Step = {
  up(db: Knex, report: Report): Promise<void>
  runsWith?: string
  /** Without a transaction of its own a step must be able to continue after it was interrupted. */
  config?: { transaction: false }
}

/** All migrations in order. A released migration is never changed; changes are new migrations. */
export const MIGRATIONS: Record<string, Step> = {
  '001-clock': clock,
  '002-members': members,
  '003-ledger': ledger,
  '004-mining': mining,
  '005-team-and-tasks': teamAndTasks,
  '006-app': app,
  '007-network': network,
  '008-documents': documents,
  '009-corrections': corrections,
  '010-privacy': privacy,
  '011-counted-addresses': countedAddresses,
  '012-quarantine': quarantine,
  '013-credit-sweeps': creditSweeps,
  '014-month-merges': monthMerges,
  '015-member-changes': memberChanges,
  '016-member-counters': memberCounters,
  '020-sign-in-codes': signInCodes,
  '022-operator-actions': operatorActions,
  '023-frozen-members': frozenMembers,
  '024-ledger-rollups': ledgerRollups,
  '025-mining-rates': miningRates,
  '026-member-language': memberLanguage,
  '029-reminders': reminders,
  '030-mail-unsubscribe': mailUnsubscribe,
  '031-member-buckets': memberBuckets,
  '036-schema-floor': schemaFloor,
  '037-ledger-seals': ledgerSeals,
  '038-sign-in-factors': signInFactors,
  '041-folded-sessions': foldedSessions,
  '042-citus': citus,
  '043-shard-statements': shardStatements,
  '044-shard-merges': shardMerges,
}
