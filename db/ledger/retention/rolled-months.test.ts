import { expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { creditIntervals } from '#db/ledger/ledger'
import { mergeOldDays, mergeStep } from '#db/postgres/months/merge-days'
import { ensurePartitions, partitionName } from '#db/postgres/partitions'
import { advance } from '#db/testing/clock'
import { ledgerDetail } from '#db/testing/history/ledger-detail'
import { recordSwept, seedOldDays } from '#db/testing/history/seed-old-days'
import { useSeeded } from '#db/testing/seeded-database'
import { DAY_MS, INTERVALS } from '#rules/constants'
import { creditCount } from '#rules/ledger-id'
import { rollUpLedger, rollUpStep } from './rollup-steps.ts'

const fresh = useSeeded(seedOldDays)
const month = () => partitionName(fresh.noon).slice(0, -2)
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

it('a month of rolled-up days is rolled up, and refuses a second payment', async () => {
  const before = await detail()
  await rollUp()
  await endMonth()
  await rollUp()
  expect(await mergeOldDays(fresh.db)).toBeGreaterThan(0)
  expect(await rollUp()).toBe(0)
  expect(await fresh.db('ledger_rollups').where({ partition: month() })).toHaveLength(1)
  expect(await detail()).toEqual(before)
  expect((await audit(fresh.db)).problems).toEqual([])
  const session = await fresh.db('mining_sessions').where({ userId: fresh.members[5] }).first()
  await fresh
    .db('mining_sessions')
    .where({ id: session.id })
    .update({ active: true, status: 'active', creditedIntervals: INTERVALS - 1, reward: 0 })
  const again = creditIntervals(fresh.db, { sessionId: session.id, memberId: session.userId })
  await expect(again).rejects.toMatchObject({ code: '23505' })
})

it('a month that was merged before is rolled up as a whole, by session and day', async () => {
  const before = await detail()
  await endMonth()
  expect(await mergeOldDays(fresh.db)).toBeGreaterThan(0)
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
  const { day } = await fresh.db('ledger_merges').first('day')
  await rollUpStep(fresh.db, 7)
  const inProgress = await fresh.db('ledger_rollups').whereNull('swappedAt').pluck('partition')
  expect(inProgress.filter((name) => name.startsWith(day.slice(0, -2)))).toEqual([])
})
