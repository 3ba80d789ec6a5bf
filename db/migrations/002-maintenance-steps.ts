import type { Knex } from 'knex'

/** The release before writes no records, and works without them. */
export const runsWith = '001-baseline'

/** What `db/ledger/steps.ts` did last, and how often, for operators. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table maintenance_steps (
      -- 'roll up credits', …
      work text primary key,
      steps bigint not null,
      "lastStep" text not null,
      -- Real time.
      "lastAt" timestamptz not null default clock_timestamp()
    )
  `)
}
