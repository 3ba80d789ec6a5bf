import type { Knex } from 'knex'
import { addBucketColumns, fillBuckets, takeBucketKeys } from './buckets/bucket-column.ts'
import { relationExists, triggerExists } from './buckets/catalogue.ts'
import { closeFacts, fillFacts, fillNewFacts, takeFactsKey } from './buckets/facts.ts'
import { addLedgerColumn, fillLedger, takeLedgerKeys } from './buckets/ledger.ts'
import { MEMBER_TABLES } from './buckets/member-tables.ts'
import { discardRewrites, withoutRewrites } from './buckets/rewrites.ts'
import { replaceCounters, replacePositions } from './buckets/sweep-tables.ts'
import type { Report } from './online/report.ts'
import { withShortLock } from './online/short-lock.ts'

/** Each step is a transaction of its own, and members go on meanwhile (decision 25). */
export const config = { transaction: false } as const

const LEDGER = ['wallet_activity', 'ledger_facts']
const MEMBERS = MEMBER_TABLES.map(({ table }) => table)
const SWEEPS = ['credit_sweeps', 'network_counters', 'network_hours']

async function fillMembers(db: Knex, report: Report): Promise<void> {
  for (const table of MEMBER_TABLES) await fillBuckets(db, table, report)
}

async function fillLedgerAndFacts(db: Knex, report: Report): Promise<void> {
  if (!(await db.schema.hasColumn('ledger_facts', 'bucket'))) {
    await withShortLock(db, LEDGER, async (tx) => {
      await discardRewrites(tx)
      await addLedgerColumn(tx)
      await tx.raw('alter table ledger_facts add column bucket smallint')
    })
  }
  await fillLedger(db, report)
  await fillFacts(db, report)
}

/** The last transaction of the earlier release: its statements fail from then on. */
async function replaceKeys(db: Knex): Promise<void> {
  // So that few are left to fill under the lock.
  await fillNewFacts(db)
  await withShortLock(db, [...MEMBERS, ...SWEEPS, ...LEDGER], async (tx) => {
    await fillNewFacts(tx)
    for (const table of MEMBER_TABLES) await takeBucketKeys(tx, table)
    await replacePositions(tx)
    await replaceCounters(tx)
    await takeLedgerKeys(tx)
    await closeFacts(tx)
  })
}

/**
 * Members' rows carry the bucket of their member, first in each key, and a sweep takes a range of
 * buckets (decision 25). Rows are filled and indexes built while the earlier release is in use; then
 * one short transaction replaces the keys. Can be interrupted at any point and run again.
 */
export async function up(db: Knex, report: Report): Promise<void> {
  if (!(await db.schema.hasColumn('wallets', 'bucket'))) {
    await withShortLock(db, MEMBERS, (tx) => addBucketColumns(tx, MEMBER_TABLES))
  }
  // The trigger stays until the keys are replaced.
  if (await triggerExists(db, 'wallets', 'fill_bucket')) {
    await fillMembers(db, report)
    await withoutRewrites(db, async () => {
      await fillLedgerAndFacts(db, report)
      report('replacing the keys; start the new release after that')
      await replaceKeys(db)
    })
  }
  if (await relationExists(db, 'ledger_facts_next_pkey')) {
    await db.raw('alter table ledger_facts validate constraint ledger_facts_bucket_filled')
    await withShortLock(db, ['ledger_facts'], takeFactsKey)
  }
}
