import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY_MS } from '#rules/constants'
import { sum } from '#rules/money/money'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { seedOldDays } from '#scripts/testing/db/history'
import { expectMemberIndex, plansOf } from '#scripts/testing/db/statements/plans'
import { readActivity, sumOlderRows } from './activity.ts'

let fresh: FreshDatabase
let member: number
let noon: number

beforeAll(async () => {
  fresh = await freshDatabase()
  const seeded = await seedOldDays(fresh.db)
  member = seeded.members[0] ?? 0
  noon = seeded.noon
})
afterAll(() => fresh.close())

it('a page and the sum of the rest of its day are the sum of the day', async () => {
  const since = new Date(noon - DAY_MS / 2)
  const end = { at: since.getTime() + DAY_MS, seq: 0 }
  const { items } = await readActivity(fresh.db, member, 100, end)
  const whole = items.filter(({ timestamp }) => timestamp >= since.toISOString())
  const { items: page, next } = await readActivity(fresh.db, member, 9, end)
  const [at = 0, seq = 0] = (next ?? '').split('.').map(Number)
  const { tesp } = await sumOlderRows(fresh.db, member, { at, seq }, since)
  expect(whole.length).toBeGreaterThan(page.length)
  expect(sum(tesp, ...page.map(({ amount }) => amount))).toBe(
    sum(...whole.map(({ amount }) => amount)),
  )
})

it('the rest of a day is read from the index of its partition only', async () => {
  const since = new Date(noon - DAY_MS / 2)
  const [plan = ''] = await plansOf(fresh, () =>
    sumOlderRows(fresh.db, member, { at: noon, seq: 1 }, since),
  )
  expectMemberIndex(plan, 2)
})
