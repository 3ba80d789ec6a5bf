import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import { stepRecords } from '#db/ledger/steps'
import { creditCount } from '#rules/money/ledger-id'
import { seedOldDays } from '#scripts/testing/db/history'
import { type TestContext, testContext } from '#scripts/testing/workers/context'
import { rollUpOldDays } from './ledger-days.ts'

let context: TestContext

beforeAll(async () => {
  context = await testContext()
  await seedOldDays(context.db)
})
afterAll(() => context.close())

const rolledUp = async () => {
  const ids: string[] = await context.db('wallet_activity').pluck('id')
  return ids.filter((id) => creditCount(id) > 1).length
}

it('the job keeps credits that are younger than LEDGER_DETAIL_DAYS', async () => {
  const config = { ...context.config, ledgerDetailDays: 30 }
  await rollUpOldDays({ ...context, config }, {})
  expect(await rolledUp()).toBe(0)
})

it('the job takes no step after a stop, and the next run continues', async () => {
  await rollUpOldDays({ ...context, stopping: AbortSignal.abort() }, {})
  expect(await rolledUp()).toBe(0)
  await rollUpOldDays(context, {})
  expect(await rolledUp()).toBeGreaterThan(0)
})

it('the job archives sessions although a day differs from its seal', async () => {
  const other = await testContext()
  onTestFinished(() => other.close())
  await seedOldDays(other.db)
  const { seq } = await other.db('wallet_activity').orderBy('seq').first()
  await sealLedger(other.db)
  await other.db('wallet_activity').where({ seq }).delete()
  await expect(rollUpOldDays(other, {})).rejects.toThrow('differs from its seal')
  const works = (await stepRecords(other.db)).map(({ work }) => work)
  expect(works).toEqual(['archive sessions', 'roll up credits', 'seal days'])
})
