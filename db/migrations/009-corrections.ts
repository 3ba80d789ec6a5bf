import type { Knex } from 'knex'

/** Numbers of the corrections that operators make: each has a ledger id of its own. */
export async function up(db: Knex): Promise<void> {
  await db.raw('create sequence correction_numbers')
}
