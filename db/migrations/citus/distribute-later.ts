import type { Knex } from 'knex'

/** Whether the extension Citus is installed in the database. */
export async function hasCitus(db: Knex): Promise<boolean> {
  const { rows } = await db.raw(`select from pg_extension where extname = 'citus'`)
  return rows.length > 0
}

/** On Citus, distributes a table of members' rows of a later migration like those of migration 042. */
export async function distributeLater(db: Knex, table: string): Promise<void> {
  if (!(await hasCitus(db))) return
  await db.raw(`select create_distributed_table(?, 'bucket', colocate_with => 'wallets')`, [table])
}
