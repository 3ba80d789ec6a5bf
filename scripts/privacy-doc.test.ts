import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { ROOT } from '#scripts/root'
import { titlesIn } from '#scripts/testing/titles'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
const doc = read('docs/privacy.md')

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

it('each promise of docs/privacy.md names a test that exists', () => {
  const named = [...doc.matchAll(/([\w./-]+\.(?:test|e2e)\.tsx?) › (.+?)(?= \||<br>)/g)]
  const missing = named.filter(([, file = '', title = '']) => {
    return !fs.existsSync(path.join(ROOT, file)) || !titlesIn(read(file)).includes(title)
  })
  expect(missing.map(([test]) => test)).toEqual([])
  expect(named.length).toBeGreaterThan(20)
})

it('docs/privacy.md speaks of each column of the members, and of each table about them', async () => {
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
