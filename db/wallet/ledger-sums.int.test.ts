import { expect, it } from 'vitest'
import { partitionName } from '#db/ledger/partitions'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { productNow } from '#db/postgres/connection/product-clock'
import { DAY_MS } from '#rules/constants'
import { sum } from '#rules/money/money'
import { advance } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { seedOldDays } from '#scripts/testing/db/history'
import { useSeeded } from '#scripts/testing/db/seeded-database'
import { expectMemberIndex, plansOf } from '#scripts/testing/db/statements/plans'
import { readActivity } from './activity.ts'
import { readMinedDays, sumOlderRows } from './ledger-sums.ts'

/** The seven days, and the default partition. */
const PARTITIONS = 8

const fresh = useSeeded(seedOldDays)

/** Moves product time so that the seeded days lie within the last seven. */
async function moveTo(at: number): Promise<void> {
  await advance(fresh.db, at - (await productNow(fresh.db)))
}

const daysOf = () => Promise.all(fresh.members.map((member) => readMinedDays(fresh.db, member)))

/** Sum of all TESP that mining paid to a member. */
async function paidTo(userId: number): Promise<string> {
  const amounts: string[] = await fresh
    .db('wallet_activity')
    .where({ userId, type: 'mining_reward', tokenType: 'TESP' })
    .pluck('amount')
  return sum(...amounts)
}

it('seven days are listed, and days without mining are zero', async () => {
  await moveTo(fresh.noon + 20 * DAY_MS)
  const [days = []] = await daysOf()
  const today = await productNow(fresh.db)
  expect(days.map(({ day }) => day)).toEqual(
    Array.from({ length: 7 }, (_, i) => {
      return new Date(today - (6 - i) * DAY_MS).toISOString().slice(0, 10)
    }),
  )
  expect(new Set(days.map(({ mined }) => mined))).toEqual(new Set(['0.00000000']))
})

it('the days of a member add up to what mining paid, and task rewards are not mined', async () => {
  await moveTo(fresh.noon + 2 * DAY_MS)
  for (const member of fresh.members) {
    const days = await readMinedDays(fresh.db, member)
    const mined = days.filter((one) => one.mined !== '0.00000000')
    expect(mined.length).toBeGreaterThan(1)
    expect(sum(...days.map((one) => one.mined))).toBe(await paidTo(member))
  }
})

it('the days are the same before and after their credits are rolled up', async () => {
  await moveTo(fresh.noon + 20 * DAY_MS)
  const rows = async () => Number((await fresh.db('wallet_activity').count().first())?.count)
  const before = await rows()
  await moveTo(fresh.noon + 2 * DAY_MS)
  const detailed = await daysOf()
  await moveTo(fresh.noon + 20 * DAY_MS)
  expect(await rollUpLedger(fresh.db, 7)).toBeGreaterThan(0)
  expect(await rows()).toBeLessThan(before)
  await moveTo(fresh.noon + 2 * DAY_MS)
  expect(await daysOf()).toEqual(detailed)
})

it.runIf(isOneServer())('the days are read from the index of their partitions only', async () => {
  await moveTo(fresh.noon + 2 * DAY_MS)
  const [member = 0] = fresh.members
  const plans = await plansOf(fresh, () => readMinedDays(fresh.db, member))
  const [, plan = ''] = plans
  expect(plans).toHaveLength(2)
  expectMemberIndex(plan, PARTITIONS)
  expect(plan).not.toContain(partitionName(fresh.noon + 10 * DAY_MS))
})

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
