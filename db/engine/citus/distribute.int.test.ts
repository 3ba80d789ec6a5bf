import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { DISTRIBUTED } from './distribute.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

/** Tables whose keys begin with the bucket: those that Citus spreads over nodes. */
const BUCKETED_SQL = `
  select distinct c.relname as name from pg_index i join pg_class c on c.oid = i.indrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where i.indisunique and a.attname = 'bucket' and not c.relispartition
    and c.relnamespace = 'public'::regnamespace`

it('all tables whose keys begin with the bucket are distributed', async () => {
  const { rows } = await fresh.db.raw(BUCKETED_SQL)
  const bucketed: string[] = rows.map(({ name }: { name: string }) => name).sort()
  expect([...DISTRIBUTED].sort()).toEqual(bucketed)
})
