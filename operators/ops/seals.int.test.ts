import { afterAll, beforeAll, expect, it } from 'vitest'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import { operate } from '#operators/ops/testing/operate'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedOldDays } from '#scripts/testing/db/history'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
  await seedOldDays(fresh.db)
})
afterAll(() => fresh.close())

const list = (...args: string[]) =>
  operate({ db: fresh.db, config: testConfig(fresh) }, 'seals list', args, { json: true })

it('ops seals list shows the seals behind a number and refuses what is no number', async () => {
  const sealed = await sealLedger(fresh.db)
  expect(JSON.parse(await list())).toHaveLength(sealed)
  expect(JSON.parse(await list('5'))[0]).toMatchObject({ number: 6 })
  await expect(list('five')).rejects.toThrow('[after] must be a number from 1 on')
})
