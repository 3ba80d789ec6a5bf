import type { Knex } from 'knex'

/** Releases before this migration do not read the table; they run beside it and refuse to start. */
export const runsWith = '025-mining-rates'

/**
 * The newest migration of the oldest release that may run on this schema. An older release reads it
 * to decide about migrations that it does not have.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table schema_floor (
      singleton boolean primary key default true check (singleton),
      migration text collate "C" not null
    )
  `)
}
