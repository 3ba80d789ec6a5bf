import type { Knex } from 'knex'

/** Whether the query finds a row in the catalogues. */
async function found(db: Knex, sql: string, values: string[]): Promise<boolean> {
  const { rows } = await db.raw(`select exists (${sql}) as found`, values)
  return rows[0].found
}

export const relationExists = (db: Knex, name: string) =>
  found(db, 'select where to_regclass(?) is not null', [name])

export const triggerExists = (db: Knex, table: string, trigger: string) =>
  found(db, 'select from pg_trigger where tgrelid = ?::regclass and tgname = ?', [table, trigger])

export const isValidated = (db: Knex, table: string, constraint: string) =>
  found(
    db,
    'select from pg_constraint where conrelid = ?::regclass and conname = ? and convalidated',
    [table, constraint],
  )

/** Whether a partition has its part of an index of the partitioned table. */
export const isIndexed = (db: Knex, partition: string, index: string) =>
  found(
    db,
    `select from pg_inherits join pg_index on indexrelid = inhrelid
     where inhparent = ?::regclass and indrelid = ?::regclass`,
    [index, partition],
  )
