import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RouteName } from '#contract/routes'
import { advance, freeze } from '#db/testing/clock'
import { creditShards } from '#db/testing/credit-shards'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, Visitor } from '#gateway/testing/visitor'
import { HOUR_MS, MINUTE_MS, SESSION_MS } from '#rules/constants'

const START = 'POST /api/mining/start'
const STOP = 'POST /api/mining/stop'
const CLAIM = 'POST /api/mining/claim'
const STATUS = 'GET /api/mining/status'
let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct()
  await freeze(product.db)
})
afterAll(async () => {
  await expectCleanAudit(product)
  await product.close()
})
beforeEach(async () => {
  member = await newMember(product)
})

const pass = (ms: number) => advance(product.db, ms)
const credit = () => creditShards(product.db)
const balances = async () => {
  const { body } = await member.call('GET /api/wallet')
  return { tesp: body.tesp[0]?.balance, usdt: body.usdtBalance }
}
/** The member's team has reached its first milestone: 2 % USDT. */
const paidMilestone = () =>
  product.db('users').where({ id: member.user?.id }).update({ teamLevel: 1 })

it('asks a visitor to sign in', async () => {
  const routes: RouteName[] = [START, STOP, CLAIM, STATUS]
  for (const route of routes) {
    expect(await new Visitor(product).call(route)).toMatchObject({
      status: 401,
      body: { message: 'Please sign in', code: 'not_signed_in' },
    })
  }
})

describe(STATUS, () => {
  it('shows a new member an idle dashboard', async () => {
    const { status, body } = await member.call(STATUS)
    expect(status).toBe(200)
    expect(body).toEqual({
      active: false,
      session: null,
      rewardAdded: false,
      rewardAmount: null,
      rewardId: null,
      pendingRewards: '0.00000000',
      pendingUsdtRewards: '0.00000000',
      canClaim: false,
      hasPendingRewards: false,
      cooldown: { inCooldown: false, remainingText: '0m 00s', remainingTime: 0 },
      stats: { neuralLinks: 4616, dataProcessed: 26.97, networkPower: 18.9 },
      miningBoost: 0,
      serverNow: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      speed: expect.any(Number),
      asOf: expect.any(Number),
    })
    expect(Math.abs(body.asOf - Date.now())).toBeLessThan(60_000)
  })
})

describe(START, () => {
  it('starts a session at 0.1 TESP an hour and answers its status', async () => {
    const { status, body } = await member.call(START)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      active: true,
      session: {
        hashRate: '0.10000000',
        aiOptimization: 35,
        currentReward: '0.00000000',
        remainingTime: SESSION_MS,
        isCompleted: false,
        nextCreditIn: 20 * MINUTE_MS,
      },
    })
    expect((await member.call(STATUS)).body).toEqual({ ...body, asOf: expect.any(Number) })
  })

  it('refuses a second one', async () => {
    await member.call(START)
    expect(await member.call(START)).toMatchObject({
      status: 409,
      body: { message: 'Mining is already active', code: 'mining_active' },
    })
  })

  it('starts the next one after the 24 hours, also where no worker has ended the first', async () => {
    await member.call(START)
    await pass(26 * HOUR_MS)
    const over = (await member.call(STATUS)).body
    expect(over).toMatchObject({ active: false, session: { isCompleted: true, remainingTime: 0 } })
    const { body } = await member.call(START)
    expect(body).toMatchObject({ active: true, session: { isCompleted: false } })
    expect(await balances()).toMatchObject({ tesp: '2.40000000' })
  })
})

describe(STOP, () => {
  it('refuses when nothing runs', async () => {
    expect(await member.call(STOP)).toMatchObject({
      status: 409,
      body: { message: 'Mining is not active', code: 'mining_inactive' },
    })
  })

  it('leaves the part of the interval that was not credited pending', async () => {
    await paidMilestone()
    await member.call(START)
    await pass(30 * MINUTE_MS)
    const { body } = await member.call(STOP)
    expect(body).toMatchObject({
      active: false,
      session: null,
      pendingRewards: '0.01666667',
      pendingUsdtRewards: '0.00100000',
      canClaim: true,
      hasPendingRewards: true,
    })
    expect(await balances()).toMatchObject({ tesp: '0.03333333' })
  })

  it('refuses after the 24 hours, which were credited by then', async () => {
    await member.call(START)
    await pass(SESSION_MS)
    expect(await member.call(STOP)).toMatchObject({
      status: 409,
      body: { code: 'mining_inactive' },
    })
  })

  it('pays nothing for a session that is stopped as soon as it was started', async () => {
    await member.call(START)
    const { body } = await member.call(STOP)
    expect(body).toMatchObject({ pendingRewards: '0.00000000', canClaim: false })
  })
})

describe('the clock', () => {
  it('may go one hour back: nothing is taken away, the rest stays within 24 hours', async () => {
    await member.call(START)
    await pass(45 * MINUTE_MS)
    await pass(-HOUR_MS)
    const { body } = await member.call(STATUS)
    expect(body.session?.remainingTime).toBe(SESSION_MS)
    expect(await member.call(STOP)).toMatchObject({
      status: 200,
      body: { pendingRewards: '0.00000000' },
    })
    await pass(HOUR_MS)
  })

  it('may go back after a credit: the session stops with what was credited, no more, no less', async () => {
    await member.call(START)
    await pass(45 * MINUTE_MS)
    await credit()
    await pass(-HOUR_MS)
    const { body } = await member.call(STATUS)
    expect(body.session).toMatchObject({ currentReward: '0.00000000', creditedIntervals: 2 })
    const stopped = await member.call(STOP)
    expect(stopped.status).toBe(200)
    expect(Number(stopped.body.pendingRewards)).toBe(0)
    await pass(HOUR_MS)
  })
})
