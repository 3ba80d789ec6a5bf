import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { fillColumn } from './fill-column.ts'

// Several chunks of pages.
const ROWS = 20_000
let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

it('rows that a member has locked are filled later and hold up no other row', async () => {
  await fresh.db.raw(`
    create table filled as
      select n as id, null::smallint as bucket, repeat(' ', 200) as pad
      from generate_series(1, ${ROWS}) n`)
  const unfilled = () => fresh.db('filled').whereNull('bucket').pluck('id')
  const tx = await fresh.db.transaction()
  await tx('filled').where({ id: 7 }).forUpdate().first()
  const fill = { table: 'filled', column: 'bucket', value: 'id % 1024' }
  const filling = fillColumn(fresh.pool(1), fill, () => {})
  await expect.poll(async () => (await unfilled()).length).toBeLessThan(ROWS / 2)
  expect(await unfilled()).toContain(7)
  await tx.commit()
  await filling
  expect(await unfilled()).toEqual([])
  const { rows } = await fresh.db.raw(
    'select count(*) as wrong from filled where bucket <> id % 1024',
  )
  expect(rows[0].wrong).toBe(0)
})
