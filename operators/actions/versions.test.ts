import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { listVersions, setVersion } from './versions.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const set = (version: string, minimum: string | null) =>
  inTransaction(fresh.db, (tx) => setVersion(tx, { version, minimum }))

it('a version is recorded once, with its minimum client version', async () => {
  expect(await set('9.1.0', null)).toBeNull()
  expect(await set('9.1.0', '9.0.0')).toBe('9.0.0')
  expect(await listVersions(fresh.db)).toEqual([
    { version: '9.1.0', minimum: '9.0.0', releasedAt: expect.any(Date), active: true },
  ])
})

it.each([
  ['next', null],
  ['9.2.0', 'none'],
  ['9.2.0', '9.2.1'],
])('version %j with the minimum %j is rejected', async (version, minimum) => {
  await expect(set(version, minimum)).rejects.toMatchObject({ code: 'bad_input' })
})
