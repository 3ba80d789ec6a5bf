import type { Knex } from 'knex'

/**
 * Counter buckets 16…71 for members' own actions. A command locks its bucket until its commit is on
 * disk, so with 8 buckets commands waited for each other.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`insert into network_counters (bucket) select generate_series(16, 71)`)
}
