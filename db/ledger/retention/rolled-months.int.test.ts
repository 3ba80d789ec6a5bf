import { expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { creditIntervals } from '#db/ledger/ledger'
import { mergePartitions, mergeStep } from '#db/ledger/partition-merges/merge-partitions'
import { nextMerge } from '#db/ledger/partition-merges/next-merge'
import { ensurePartitions, namesOver, partitionName } from '#db/ledger/partitions'
import { productNow } from '#db/postgres/connection/product-clock'
import { DAY_MS, INTERVALS } from '#rules/constants'
import { creditCount } from '#rules/money/ledger-id'
import { advance } from '#scripts/testing/db/clock'
import { ledgerDetail, recordSwept, seedOldDays } from '#scripts/testing/db/history'
import { useSeeded } from '#scripts/testing/db/seeded-database'
import { rollUpLedger, rollUpStep } from './rollup-steps.ts'

const fresh = useSeeded(seedOldDays)
const rollUp = () => rollUpLedger(fresh.db, 7)
const detail = () => ledgerDetail(fresh.db, fresh.members)
const longestRow = async () => {
  const ids: string[] = await fresh.db('wallet_activity').pluck('id')
  return Math.max(...ids.map(creditCount))
}

/** Lets the month of the history become due for its merge. */
async function endMonth(): Promise<void> {
  await advance(fresh.db, 60 * DAY_MS)
  await ensurePartitions(fresh.db)
  await recordSwept(fresh.db)
}

async function expectPaidOnce(): Promise<void> {
  const session = await fresh.db('mining_sessions').where({ userId: fresh.members[5] }).first()
  const asBefore = { active: false, status: 'completed', creditedIntervals: INTERVALS }
  const { id, userId: memberId, reward } = session
  const row = () => fresh.db('mining_sessions').where({ id })
  await row().update({ active: true, status: 'active', creditedIntervals: 71, reward: 0 })
  const again = creditIntervals(fresh.db, { sessionId: id, memberId })
  await expect(again).rejects.toMatchObject({ code: '23505' })
  await row().update({ ...asBefore, reward })
}

it('a month of rolled-up days is rolled up, and refuses a second payment', async () => {
  const before = await detail()
  await rollUp()
  await endMonth()
  await rollUp()
  expect(await mergePartitions(fresh.db)).toBeGreaterThan(0)
  expect(await rollUp()).toBe(0)
  const covering = namesOver(partitionName(fresh.noon))
  expect(await fresh.db('ledger_rollups').whereIn('partition', covering)).toHaveLength(1)
  expect(await detail()).toEqual(before)
  expect((await audit(fresh.db)).problems).toEqual([])
  await expectPaidOnce()
})

it('a month that was merged before is rolled up as a whole, by session and day', async () => {
  const before = await detail()
  await endMonth()
  expect(await mergePartitions(fresh.db)).toBeGreaterThan(0)
  expect(await longestRow()).toBe(1)
  expect(await rollUp()).toBeGreaterThan(0)
  expect(await longestRow()).toBeGreaterThan(30)
  expect(await longestRow()).toBeLessThan(INTERVALS)
  expect(await detail()).toEqual(before)
  expect((await audit(fresh.db)).problems).toEqual([])
})

it('a month is not merged while one of its days is being rolled up, nor rolled up while it is merged', async () => {
  await endMonth()
  expect(await mergeStep(fresh.db)).toBe('created')
  expect(await rollUpStep(fresh.db, 7)).toBe('begun')
  expect(await mergeStep(fresh.db)).toBeUndefined()
  for (const step of ['rolled', 'indexed', 'verified', 'checked', 'swapped']) {
    expect(await rollUpStep(fresh.db, 7)).toBe(step)
  }
  expect(await mergeStep(fresh.db)).toBe('mirrored')
  const { month: merging } = await fresh.db('ledger_merges').first('month')
  await rollUpStep(fresh.db, 7)
  const inProgress = await fresh.db('ledger_rollups').whereNull('swappedAt').pluck('partition')
  expect(inProgress.filter((name) => name.startsWith(merging))).toEqual([])
})

it('a month whose credits are kept for 30 days is merged 32 days after its end', async () => {
  let merge = await nextMerge(fresh.db, 30)
  while (!merge) {
    await advance(fresh.db, DAY_MS)
    merge = await nextMerge(fresh.db, 30)
  }
  const days = ((await productNow(fresh.db)) - Date.parse(merge.into.to)) / DAY_MS
  expect(Math.floor(days)).toBe(32)
})
