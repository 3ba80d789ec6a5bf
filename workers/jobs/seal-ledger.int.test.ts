import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSeals } from '#db/ledger/seals/seal-chain'
import { seedOldDays } from '#scripts/testing/db/history'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { sealDays } from './ledger-days.ts'

let context: TestContext

beforeAll(async () => {
  context = await testContext()
  await seedOldDays(context.db)
})
afterAll(() => context.close())

const seals = () => readSeals(context.db, 0)

it('the job seals no day after a stop, and the next run continues', async () => {
  await sealDays({ ...context, stopping: AbortSignal.abort() }, {})
  expect(await seals()).toEqual([])
  const config = { ...context.config, ledgerSealKey: undefined }
  await sealDays({ ...context, config }, {})
  expect((await seals()).length).toBeGreaterThan(0)
})

it('seals stay unsigned without a key, and the next run with one signs them', async () => {
  expect((await seals()).every(({ signature }) => signature === null)).toBe(true)
  const config = { ...context.config, ledgerSealKey: randomBytes(32) }
  await sealDays({ ...context, config }, {})
  expect((await seals()).every(({ signature }) => signature !== null)).toBe(true)
})

it('only a run for late rows seals a day again, and signs that seal too', async () => {
  const before = (await seals()).length
  const row = await context.db('wallet_activity').orderBy('seq', 'desc').first()
  const late = { ...row, id: 'credit:999:1', seq: Number(row.seq) + 1 }
  await context.db('wallet_activity').insert(late)
  const config = { ...context.config, ledgerSealKey: randomBytes(32) }
  await sealDays({ ...context, config }, {})
  expect(await seals()).toHaveLength(before)
  await sealDays({ ...context, config }, { lateRows: true })
  const added = (await seals()).slice(before)
  expect(added).toMatchObject([{ reason: 'late rows', signature: expect.any(String) }])
})
