import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { creditSlotSql, IDLE_WRITE_MS, rangesToSweep, type SweepRest } from '#db/mining/sweep'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { ALL_BUCKETS, type BucketRange } from '#rules/buckets'
import { HOUR_MS, INTERVAL_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'
import { creditSlot } from '#rules/money/mining'
import { advance, freeze } from '#scripts/testing/db/clock'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembersOf } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'
import { waitingForRows } from '#scripts/testing/db/statements/waiting-for-rows'
import { sweepBatch } from './sweep.ts'

let fresh: FreshDatabase
let buckets: BucketRange

beforeAll(async () => {
  fresh = await freshDatabase()
  await freeze(fresh.db)
  const [, , third = ALL_BUCKETS] = await rangesToSweep(fresh.db)
  buckets = third
})
afterAll(async () => {
  expect((await audit(fresh.db)).problems).toEqual([])
  await fresh.close()
})
beforeEach(() => endAll())

/** Ends the sessions of earlier tests. */
async function endAll(): Promise<void> {
  await fresh.db.raw(`
    update mining_sessions set active = false, status = 'stopped', "endTime" = "startTime"
    where active;
    update network_counters set "activeSessions" = 0, "activeRate" = 0`)
}

/** Sessions of members of the buckets that fall due the given ms from now, and each 20 minutes. */
async function sessionsDueIn(...delays: number[]): Promise<number[]> {
  const now = await productNow(fresh.db)
  const members = await insertMembersOf(fresh.db, buckets, delays.length)
  return insertSessions(
    fresh.db,
    delays.map((ms, i) => ({ userId: members[i] ?? 0, startedAt: startedBefore(now, 1) + ms })),
  )
}

/** Sweeps the buckets until nothing is due; returns the credits of each statement. */
async function sweep(db: Db = fresh.db, limit?: number): Promise<number[]> {
  const credits: number[] = []
  let rest: SweepRest | undefined
  for (;;) {
    const batch = await sweepBatch(db, buckets, rest, limit)
    credits.push(batch.memberIds.length)
    if (batch.isDone) return credits
    rest = batch.rest
  }
}

/**
 * Moves product time and the position of the sweep to the first minute of the next slot cycle. A sweep at the very
 * start would leave the position of the cycle before if it is less than 10 s old.
 */
async function sweepIntoNextCycle(): Promise<void> {
  const intoCycle = (await productNow(fresh.db)) % INTERVAL_MS
  await advance(fresh.db, INTERVAL_MS - intoCycle + MINUTE_MS)
  await sweep()
}

/** How many intervals are due, and seconds since the oldest one is. */
async function due(): Promise<{ count: number; lag: number }> {
  const now = await productNow(fresh.db)
  const { rows } = await fresh.db.raw(
    `select count(*) as count, min(due) as oldest from (
       select "startTime" + ("creditedIntervals" + 1) * interval '20 minutes' as due
       from mining_sessions where active and "creditedIntervals" < 72
     ) s where due <= ?::timestamptz`,
    [new Date(now)],
  )
  const [{ count, oldest }] = rows
  return { count, lag: oldest ? (now - oldest.getTime()) / SECOND_MS : 0 }
}
const dueCount = async () => (await due()).count

it('creditSlotSql and creditSlot name the same slot', async () => {
  for (const at of [0, 1_199_999, 1_200_000, Date.UTC(2026, 1, 28, 23, 59, 59, 999)]) {
    const time = `to_timestamp(${at} / 1000.0)`
    const { rows } = await fresh.db.raw(`select ${creditSlotSql(time)} as slot`)
    expect(rows[0].slot).toBe(creditSlot(at))
  }
})

it('after a sweep nothing is due, for any sequence of sweeps, clock jumps and batch sizes', async () => {
  await sessionsDueIn(...Array.from({ length: 40 }, (_, i) => (i * 31_013) % INTERVAL_MS))
  const step = fc.record({
    ms: fc.oneof(
      fc.integer({ min: 0, max: 5 * SECOND_MS }),
      fc.integer({ min: 0, max: 25 * MINUTE_MS }),
      fc.integer({ min: -10 * MINUTE_MS, max: HOUR_MS }),
    ),
    limit: fc.constantFrom(3, 10, 4_000),
  })
  for (const { ms, limit } of fc.sample(step, { numRuns: 60, seed: 20261121 })) {
    await advance(fresh.db, ms)
    expect(await creditLagSeconds(fresh.db)).toBe((await due()).lag)
    await sweep(fresh.db, limit)
    expect(await dueCount()).toBe(0)
  }
})

it('one statement credits at most as many sessions as its limit, even in one slot', async () => {
  await sessionsDueIn(...Array.from({ length: 25 }, () => 0))
  const credits = await sweep(fresh.db, 10)
  expect(Math.max(...credits)).toBe(10)
  expect(credits.reduce((total, n) => total + n)).toBe(25)
})

it('a sweep that ends after one statement is continued by the next one', async () => {
  // A statement stops at the end of the cycle too.
  await sweepIntoNextCycle()
  await sessionsDueIn(...Array.from({ length: 25 }, (_, i) => i * 300))
  await advance(fresh.db, 10 * SECOND_MS)
  await sweepBatch(fresh.db, buckets, undefined, 10)
  expect(await dueCount()).toBe(15)
  await sweep()
  expect(await dueCount()).toBe(0)
})

it('two sweeps of the same buckets at once credit each interval once', async () => {
  const ids = await sessionsDueIn(...Array.from({ length: 300 }, (_, i) => i * 17))
  await advance(fresh.db, 6 * SECOND_MS)
  const [one, two] = [fresh.pool(1), fresh.pool(1)]
  await Promise.all([sweep(one, 20), sweep(two, 20), sweep(one, 20), sweep(two, 20)])
  const rows = await fresh.db('mining_sessions').whereIn('id', ids).pluck('creditedIntervals')
  expect(rows).toEqual(ids.map(() => 1))
  expect((await audit(fresh.db)).problems).toEqual([])
})

it.runIf(isOneServer())(
  'a sweep waits for a session that a member has locked and credits it',
  async () => {
    const [id = 0] = await sessionsDueIn(0)
    const tx = await fresh.db.transaction()
    await tx('mining_sessions').where({ id }).update({ description: 'touched' })
    const swept = sweep(fresh.pool(1))
    await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
    await tx.commit()
    await swept
    const row = await fresh.db('mining_sessions').where({ id }).first()
    expect(row.creditedIntervals).toBe(1)
  },
)

it.runIf(isOneServer())(
  'a position that is moved back while a sweep waits stays for the next sweep',
  async () => {
    const [id = 0] = await sessionsDueIn(0)
    const position = () => fresh.db('credit_sweeps').where({ firstBucket: buckets.first })
    const { sweptTo } = await position().first()
    const back = new Date(sweptTo.getTime() - MINUTE_MS)
    const tx = await fresh.db.transaction()
    await tx('mining_sessions').where({ id }).update({ description: 'touched' })
    const sweeping = sweep(fresh.pool(1))
    await expect.poll(() => waitingForRows(fresh.db)).toBe(1)
    await position().update({ sweptTo: back })
    await tx.commit()
    await sweeping
    expect((await position().first()).sweptTo).toEqual(back)
    await sweep()
    // At the start of a slot cycle the last sweep is an idle one, which writes no small step.
    const swept = (await position().first()).sweptTo.getTime()
    expect(swept).toBeGreaterThanOrEqual(sweptTo.getTime() - IDLE_WRITE_MS)
  },
)

it('an idle sweep over the end of the slot cycle takes two statements', async () => {
  await sweepIntoNextCycle()
  await advance(fresh.db, INTERVAL_MS - MINUTE_MS - SECOND_MS)
  await sweep()
  await advance(fresh.db, 2 * SECOND_MS)
  for (let i = 0, rest: SweepRest | undefined; i < 2; i++) {
    const batch = await sweepBatch(fresh.db, buckets, rest)
    expect(batch).toMatchObject({ memberIds: [], isDone: i === 1 })
    rest = batch.rest
  }
})

it('idle sweeps write nothing for 10 s', async () => {
  await sweepIntoNextCycle()
  const sweptTo = async () =>
    (
      await fresh.db('credit_sweeps').where({ firstBucket: buckets.first }).first()
    ).sweptTo.getTime()
  const first = await sweptTo()
  await advance(fresh.db, 9 * SECOND_MS)
  await sweep()
  expect(await sweptTo()).toBe(first)
  await advance(fresh.db, 2 * SECOND_MS)
  await sweep()
  expect(await sweptTo()).toBe(first + 11 * SECOND_MS)
})
