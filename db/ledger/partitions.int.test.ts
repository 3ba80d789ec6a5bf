import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '#db/migrations/migrate'
import { productNow } from '#db/postgres/connection/product-clock'
import { retrying } from '#db/postgres/statements/transaction'
import { type BucketRange, SWEEP_RANGES } from '#rules/buckets'
import { DAY_MS, HOUR_MS } from '#rules/constants'
import { advance, freeze } from '#scripts/testing/db/clock'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { creditRanges, wholeRange } from '#scripts/testing/db/history'
import { insertMembers } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { audit } from './audit.ts'
import { creditIntervals } from './ledger.ts'
import { ensurePartitions, PARTITIONS_AHEAD, partitionName, strayLedgerRows } from './partitions.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
  // The database was copied from one that may be of yesterday.
  await migrate(fresh.url)
})
afterAll(() => fresh.close())

const rowsPerPartition = async () => {
  const { rows } = await fresh.db.raw(
    `select tableoid::regclass::text as partition, count(*) as rows from wallet_activity
     group by 1 order by 1`,
  )
  return Object.fromEntries(
    rows.map((row: { partition: string; rows: number }) => [row.partition, row.rows]),
  )
}

it('a partition is named after its UTC day', () => {
  expect(partitionName(Date.UTC(2026, 10, 21))).toBe('wallet_activity_20261121')
})

it('partitions from yesterday to a week ahead exist after a migration', async () => {
  const today = Math.floor((await productNow(fresh.db)) / DAY_MS) * DAY_MS
  for (let ahead = -1; ahead <= PARTITIONS_AHEAD; ahead++) {
    const name = partitionName(today + ahead * DAY_MS)
    expect(await fresh.db.schema.hasTable(name)).toBe(true)
  }
  expect(await ensurePartitions(fresh.db)).toEqual([])
})

it('partitions that a backup locks out are created later, and fail nothing', async () => {
  await advance(fresh.db, DAY_MS)
  const reader = await fresh.db.transaction()
  await reader.raw('lock table wallet_activity in access share mode')
  expect(await ensurePartitions(fresh.pool(1))).toEqual([])
  await reader.rollback()
  expect(await ensurePartitions(fresh.pool(1))).toHaveLength(1)
})

it('a missing partition does not stop credits, and its rows move there once it is created', async () => {
  await advance(fresh.db, 60 * DAY_MS)
  const now = await productNow(fresh.db)
  // Twelve hours of credits that end at noon and begin at midnight of one day, and before it.
  const noon = Math.floor(now / DAY_MS) * DAY_MS + 12 * HOUR_MS
  await advance(fresh.db, noon - now)
  const members = await insertMembers(fresh.db, 20)
  const startedAt = startedBefore(noon, 48)
  await insertSessions(
    fresh.db,
    members.map((userId) => ({ userId, startedAt })),
  )
  await creditRanges(fresh.db)
  expect(await strayLedgerRows(fresh.db)).toBe(20 * 48)
  expect(await rowsPerPartition()).toEqual({ wallet_activity_default: 960 })
  const made = await Promise.all([1, 2, 3, 4].map(() => ensurePartitions(fresh.pool(1))))
  expect(made.flat().sort()).toHaveLength(PARTITIONS_AHEAD + 2)
  expect(await strayLedgerRows(fresh.db)).toBe(0)
  const [yesterday, today] = [noon - DAY_MS, noon].map(partitionName)
  expect(await rowsPerPartition()).toEqual({
    [yesterday ?? '']: 20 * 11,
    [today ?? '']: 20 * 37,
  })
  expect((await audit(fresh.db)).problems).toEqual([])
})

it('partitions can be created while credits are written', async () => {
  await advance(fresh.db, 60 * DAY_MS)
  const now = await productNow(fresh.db)
  const members = await insertMembers(fresh.db, 100)
  await insertSessions(
    fresh.db,
    members.map((userId) => ({ userId, startedAt: startedBefore(now, 40) })),
  )
  const credit = async (range: BucketRange) => {
    let total = 0
    for (;;) {
      const scope = await wholeRange(fresh.db, range)
      const credits = await retrying(() => creditIntervals(fresh.db, scope))
      if (credits.length === 0) return total
      total += credits.length
    }
  }
  const [made, ...credited] = await Promise.all([
    ensurePartitions(fresh.pool(1)),
    ...SWEEP_RANGES.map(credit),
  ])
  expect(made).toHaveLength(PARTITIONS_AHEAD + 2)
  expect(credited.reduce((total, each) => total + each, 0)).toBe(100 * 40 + 20 * 24)
  expect(await strayLedgerRows(fresh.db)).toBe(0)
  expect((await audit(fresh.db)).problems).toEqual([])
})
