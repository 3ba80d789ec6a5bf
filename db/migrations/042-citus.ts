import type { Knex } from 'knex'
import { hasCitus } from './citus/distribute-later.ts'
import { distributeTables } from './citus/distribute-tables.ts'
import type { Report } from './online/report.ts'

/** Releases since the buckets write every distributed row with its bucket. */
export const runsWith = '037-ledger-seals'

/**
 * If the extension Citus is installed in the database, the tables of members' rows are distributed by
 * bucket (decision 29). On plain Postgres they stay as they are.
 */
export async function up(db: Knex, report: Report): Promise<void> {
  await db.raw(`
    alter table credit_sweeps add column buckets smallint[];
    comment on column credit_sweeps.buckets is
      'The buckets from first to last that are swept together; null for all of them'`)
  if (await hasCitus(db)) await distributeTables(db, report)
}
