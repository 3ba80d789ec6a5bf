import { afterAll, beforeAll, expect, it } from 'vitest'
import { readActivity } from '#db/mining/activity'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { plansOf } from '#db/testing/statements/plans'
import { seedOldDays } from '#db/testing/history/seed-old-days'
import { DAY_MS } from '#rules/constants'
import { sum } from '#rules/money'
import { sumOlderRows } from './older-sums.ts'

let fresh: FreshDatabase
let members: number[]
let noon: number

beforeAll(async () => {
  fresh = await freshDatabase()
  const seeded = await seedOldDays(fresh.db)
  members = seeded.members
  noon = seeded.noon
})
afterAll(() => fresh.close())

it('a page and the sum of the rest of its day are the sum of the day', async () => {
  const [member = 0] = members
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
  const [member = 0] = members
  const since = new Date(noon - DAY_MS / 2)
  const [plan = ''] = await plansOf(fresh, () =>
    sumOlderRows(fresh.db, member, { at: noon, seq: 1 }, since),
  )
  const partitions = new Set(plan.match(/ on wallet_activity_(?:\d{6,8}|default)\b/g))
  expect(partitions.size).toBeLessThanOrEqual(2)
  expect(plan).not.toContain('Seq Scan')
  expect(plan).toMatch(/Index Cond: \(\(shard = .*"userId" = /)
})
