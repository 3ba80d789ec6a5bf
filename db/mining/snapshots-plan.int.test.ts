import { afterAll, beforeAll, expect, it } from 'vitest'
import { partitionName } from '#db/ledger/partitions'
import { productNow } from '#db/postgres/connection/product-clock'
import { readActivity } from '#db/wallet/activity'
import { DAY_MS } from '#rules/constants'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { readSnapshot } from '#scripts/testing/db/read-snapshot'
import { plansOf } from '#scripts/testing/db/statements/plans'

const OLD_DAYS = 60
/** Today, the two days before it, 7 days ahead and the default partition. */
const RECENT_PARTITIONS = 11

let fresh: FreshDatabase
let member: number
let today: number

beforeAll(async () => {
  fresh = await freshDatabase()
  member = await insertMember(fresh.db)
  today = Math.floor((await productNow(fresh.db)) / DAY_MS) * DAY_MS
  for (let ago = 2; ago < OLD_DAYS; ago++) {
    const [from, to] = [today - ago * DAY_MS, today - (ago - 1) * DAY_MS]
    await fresh.db.raw(
      `create table if not exists ?? partition of wallet_activity
         for values from ('${new Date(from).toISOString()}') to ('${new Date(to).toISOString()}')`,
      [partitionName(from)],
    )
  }
})
afterAll(() => fresh.close())

const partitionsIn = (plan: string) =>
  new Set(plan.match(/ on wallet_activity_(?:\d{8}|default)\b/g)).size

it('the snapshot of a push, a status and a wallet plans no partition of the ledger', async () => {
  const plans = await plansOf(fresh, () => readSnapshot(fresh.db, member))
  expect(plans).toHaveLength(1)
  expect(plans[0]).not.toContain('wallet_activity')
})

it('a page of activity first plans only the partitions of recent days', async () => {
  const [page = ''] = await plansOf(fresh, () => readActivity(fresh.db, member, 20))
  expect(partitionsIn(page)).toBeGreaterThan(0)
  expect(partitionsIn(page)).toBeLessThanOrEqual(RECENT_PARTITIONS)
})

it('a page that recent days leave short plans a month of partitions before all others', async () => {
  const month = 31
  const plans = await plansOf(fresh, () => readActivity(fresh.db, member, 20))
  const [, second = 0, third = 0] = plans.map(partitionsIn)
  expect(plans).toHaveLength(3)
  expect(second).toBeGreaterThan(0)
  expect(second).toBeLessThanOrEqual(month + 1)
  expect(third).toBeGreaterThan(0)
})

it('a page behind a cursor plans no partition newer than the cursor', async () => {
  const before = { at: today - 30 * DAY_MS, seq: 1 }
  const [page = ''] = await plansOf(fresh, () => readActivity(fresh.db, member, 20, before))
  expect(page).not.toContain(partitionName(today))
  expect(partitionsIn(page)).toBeLessThanOrEqual(4)
})
