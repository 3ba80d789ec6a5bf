import { expect, it } from 'vitest'
import { DAY_MS } from '#rules/constants'
import { sum } from '#rules/money/money'
import { seedOldDays } from '#scripts/testing/db/history'
import { useSeeded } from '#scripts/testing/db/seeded-database'
import { expectMemberIndex, plansOf } from '#scripts/testing/db/statements/plans'
import { readActivity, sumOlderRows } from './activity.ts'

const fresh = useSeeded(seedOldDays)

it('a page and the sum of the rest of its day are the sum of the day', async () => {
  const [member = 0] = fresh.members
  const since = new Date(fresh.noon - DAY_MS / 2)
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
  const [member = 0] = fresh.members
  const since = new Date(fresh.noon - DAY_MS / 2)
  const [plan = ''] = await plansOf(fresh, () =>
    sumOlderRows(fresh.db, member, { at: fresh.noon, seq: 1 }, since),
  )
  expectMemberIndex(plan, 2)
})
