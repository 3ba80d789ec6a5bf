import type { Knex } from 'knex'

/** Numbers of operators' corrections, part of their ledger ids. */
export async function up(db: Knex): Promise<void> {
  await db.raw('create sequence correction_numbers')
}
