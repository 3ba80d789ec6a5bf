import type { Knex } from 'knex'

/** An index of a table in use: `on` are its columns, `where` the condition of a partial one. */
export type NewIndex = {
  name: string
  on: string
  isUnique?: boolean | undefined
  where?: string | undefined
}

/** Builds an index while the table is in use; one that an interrupted build left is built again. */
export async function buildIndex(db: Knex, table: string, index: NewIndex): Promise<void> {
  const { name, on, isUnique, where } = index
  const { rows } = await db.raw(
    'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(?)',
    [`"${name}"`],
  )
  if (rows[0]?.isValid) return
  if (rows[0]) await db.raw('drop index concurrently ??', [name])
  await db.raw(
    `create ${isUnique ? 'unique' : ''} index concurrently "${name}" on "${table}" (${on})
     ${where ? `where ${where}` : ''}`,
  )
}
