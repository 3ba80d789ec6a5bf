import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { readText } from '#scripts/testing/read-file'

const doc = readText('docs/privacy.md')

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

it('docs/privacy.md names every column of users and every table with member data', async () => {
  const { rows } = await fresh.db.raw(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and table_name !~ '^wallet_activity_'
       and (table_name = 'users' or column_name in ('userId', 'emailKey', 'recipient'))`,
  )
  const names = (rows as { table: string; column: string }[]).map(({ table, column }) =>
    table === 'users' ? column : table,
  )
  expect([...new Set(names)].filter((name) => !doc.includes(`\`${name}\``))).toEqual([])
})
