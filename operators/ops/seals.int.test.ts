import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appendSeal } from '#db/ledger/seals/seal-chain'
import { inTransaction } from '#db/postgres/statements/transaction'
import { operate } from '#operators/ops/testing/operate'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'

const DAYS = [1, 2, 3, 4, 5, 6, 7].map((n) => `2026-11-0${n}`)
let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
  for (const day of DAYS) {
    const content = { root: Buffer.alloc(32), salt: Buffer.alloc(32), leavesId: randomUUID() }
    await inTransaction(fresh.db, (tx) =>
      appendSeal(tx, { day, reason: 'day', rows: 0, members: 0, ...content }),
    )
  }
})
afterAll(() => fresh.close())

const list = (...args: string[]) =>
  operate({ db: fresh.db, config: testConfig(fresh) }, 'seals list', args, { json: true })

it('ops seals list shows the seals behind a number and refuses what is no number', async () => {
  expect(JSON.parse(await list())).toHaveLength(DAYS.length)
  expect(JSON.parse(await list('5'))[0]).toMatchObject({ number: 6 })
  await expect(list('five')).rejects.toThrow('[after] must be a number from 1 on')
})
