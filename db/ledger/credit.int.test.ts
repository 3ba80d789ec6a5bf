import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import type { Credit } from '#db/ledger/credit-sql'
import { creditIntervals } from '#db/ledger/ledger'
import { countMining } from '#db/ledger/network-counters'
import { rerateSession } from '#db/mining/sessions'
import { inTransaction } from '#db/postgres/statements/transaction'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { type Accrual, earnedAt, intervalEnd } from '#rules/money/mining'
import { fromUnits, minus } from '#rules/money/money'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { creditRanges } from '#scripts/testing/db/history'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { insertSessions, startedBefore } from '#scripts/testing/db/sessions'

const NOW = Date.UTC(2026, 6, 3, 10, 0, 0)
let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const creditAll = (now: number) => creditRanges(fresh.db, now)

const money = (max: bigint) => fc.bigInt({ min: 100_000n, max }).map(fromUnits)
const drawn = fc.record({
  hashRate: money(10n ** 12n),
  usdtRate: fc.oneof(fc.constant('0'), money(10n ** 11n)),
  tespAccrued: money(10n ** 20n),
  usdtAccrued: money(10n ** 19n),
  /**
   * Start of the current rate within the first interval, and time since that interval ended, ms.
   */
  rateAfter: fc.nat(INTERVAL_MS - MINUTE_MS),
  endedAgo: fc.nat(INTERVAL_MS - 1),
})

it('SQL and TypeScript compute equal earnings for any rate, history and start', async () => {
  const samples = fc.sample(drawn, { numRuns: 400, seed: 20260703 })
  const members = await insertMembers(fresh.db, samples.length)
  const ids = await insertSessions(
    fresh.db,
    samples.map(({ rateAfter, endedAgo, ...amounts }, i) => {
      const startedAt = startedBefore(NOW, 1, endedAgo)
      return { ...amounts, userId: Number(members[i]), startedAt, rateSince: startedAt + rateAfter }
    }),
  )
  await creditAll(NOW)
  const stored = await fresh.db('mining_sessions').whereIn('id', ids).orderBy('id')
  const stats = await fresh.db('mining_stats').whereIn('userId', members).orderBy('userId')
  const activity = await fresh.db('wallet_activity').whereIn('userId', members).orderBy('userId')
  expect(activity).toHaveLength(samples.length)
  for (const [i, sample] of samples.entries()) {
    const startedAt = startedBefore(NOW, 1, sample.endedAgo)
    const since = startedAt + sample.rateAfter
    const end = intervalEnd(startedAt, 1)
    const tesp: Accrual = { rate: sample.hashRate, since, accrued: sample.tespAccrued }
    const usdt: Accrual = { rate: sample.usdtRate, since, accrued: sample.usdtAccrued }
    const earned = earnedAt(tesp, end)
    expect(stored[i]).toMatchObject({ reward: earned, lastRewardAmount: earned })
    expect(activity[i]).toMatchObject({ amount: earned, id: `credit:${ids[i]}:1` })
    expect(activity[i].createdAt).toEqual(new Date(end))
    expect(stats[i].pendingUsdtRewards).toBe(earnedAt(usdt, end))
  }
})

it('late credits equal on-time credits through changes of the rate', async () => {
  const [onTime = 0, late = 0] = await insertMembers(fresh.db, 2)
  const startedAt = startedBefore(NOW, 12, 777)
  await insertSessions(fresh.db, [
    { userId: onTime, startedAt },
    { userId: late, startedAt },
  ])
  const boosts = new Map([
    [2, '0.35'],
    [5, '1.05'],
    [6, '0.05'],
  ])
  for (let n = 1; n <= 12; n++) {
    const end = intervalEnd(startedAt, n)
    const session = await fresh.db('mining_sessions').where({ userId: onTime }).first('id')
    const credited = await creditIntervals(
      fresh.db,
      { sessionId: session.id, memberId: onTime },
      end,
    )
    expect(credited).toMatchObject([{ n }])
    const miningBoost = boosts.get(n)
    if (!miningBoost) continue
    for (const id of [onTime, late]) {
      const member = { id, miningBoost, teamLevel: n % 3 }
      await inTransaction(fresh.db, (tx) => rerateSession(tx, member, end + 61_003))
    }
  }
  await creditAll(NOW)
  const paid = (userId: number) =>
    fresh
      .db('wallet_activity')
      .where({ userId })
      .orderBy('createdAt')
      .select('amount', 'balanceAfter', 'createdAt')
  expect(await paid(onTime)).toHaveLength(12)
  expect(await paid(late)).toEqual(await paid(onTime))
  const pending = (userId: number) => fresh.db('mining_stats').where({ userId }).first()
  const { pendingUsdtRewards } = await pending(onTime)
  expect(Number(pendingUsdtRewards)).toBeGreaterThan(0)
  expect((await pending(late)).pendingUsdtRewards).toBe(pendingUsdtRewards)
})

it('running intervals and stopped sessions are not credited', async () => {
  const [early = 0, stopped = 0] = await insertMembers(fresh.db, 2)
  const startedAt = startedBefore(NOW, 1)
  await insertSessions(fresh.db, [
    { userId: early, startedAt: startedAt + 1 },
    { userId: stopped, startedAt },
  ])
  await fresh
    .db('mining_sessions')
    .where({ userId: stopped })
    .update({ active: false, status: 'stopped', endTime: new Date(NOW) })
  await inTransaction(fresh.db, (tx) => countMining(tx, stopped, -1, '-0.1'))
  const ofBoth = (credits: Credit[]) =>
    credits.filter(({ userId }) => [early, stopped].includes(userId))
  expect(ofBoth(await creditAll(NOW))).toEqual([])
  expect(ofBoth(await creditAll(NOW + 1))).toMatchObject([{ userId: early, n: 1 }])
})

it('a session is credited at most 72 intervals', async () => {
  const member = await insertMember(fresh.db)
  const [sessionId = 0] = await insertSessions(fresh.db, [
    { userId: member, startedAt: startedBefore(NOW, 100) },
  ])
  const credits = (await creditAll(NOW)).filter((credit) => credit.sessionId === sessionId)
  expect(credits.map(({ n }) => n)).toEqual(Array.from({ length: 72 }, (_, i) => i + 1))
  const wallet = await fresh.db('wallets').where({ userId: member }).first()
  expect(wallet.balance).toBe('2.40000000')
})

it('the USDT share of each credit becomes pending without rounding loss', async () => {
  const member = await insertMember(fresh.db)
  const startedAt = startedBefore(NOW, 3)
  const [sessionId = 0] = await insertSessions(fresh.db, [
    { userId: member, startedAt, hashRate: '0.15', usdtRate: '0.00300001' },
  ])
  const shares: string[] = []
  for (let n = 1; n <= 3; n++) {
    await creditIntervals(fresh.db, { sessionId, memberId: member }, intervalEnd(startedAt, n))
    const stats = await fresh.db('mining_stats').where({ userId: member }).first()
    shares.push(stats.pendingUsdtRewards)
  }
  expect(shares).toEqual(['0.00100000', '0.00200000', '0.00300001'])
  expect(minus(shares[2] ?? '0', shares[1] ?? '0')).toBe('0.00100001')
})

it('the audit finds no problem after all credits', async () => {
  const { problems } = await audit(fresh.db)
  expect(problems).toEqual([])
})
