import { describe, expect, it } from 'vitest'
import { productNow } from '#db/postgres/connection/product-clock'
import { DAY_MS, HOUR_MS, MINUTE_MS, SESSION_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { creditRanges } from '#scripts/testing/db/history'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'

const START = 'POST /api/mining/start'
const STOP = 'POST /api/mining/stop'
const STATUS = 'GET /api/mining/status'
const product = useProduct({ frozen: true, audited: true })
const member = useMember(product)

const pass = (ms: number) => advance(product.db, ms)
const credit = () => creditRanges(product.db)
/** Gives the member's team its first milestone: 2 % USDT. */
const reachMilestone = () =>
  product.db('users').where({ id: member.user?.id }).update({ teamLevel: 1 })

describe(STATUS, () => {
  it('the status of a new member is idle', async () => {
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
  it('a started session mines 0.1 TESP an hour, and the answer is its status', async () => {
    const { status, body } = await member.call(START)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      active: true,
      session: {
        hashRate: '0.10000000',
        aiOptimization: 35,
        currentReward: '0.00000000',
        credited: '0.00000000',
        remainingTime: SESSION_MS,
        isCompleted: false,
        nextCreditIn: 20 * MINUTE_MS,
      },
    })
    expect((await member.call(STATUS)).body).toEqual({ ...body, asOf: expect.any(Number) })
  })

  it('a start during a session is rejected', async () => {
    await member.call(START)
    expect(await member.call(START)).toMatchObject({
      status: 409,
      body: { message: 'Mining is already active', code: 'mining_active' },
    })
  })

  it('a new session can start after 24 hours even if no worker has ended the first', async () => {
    await member.call(START)
    await pass(26 * HOUR_MS)
    const over = (await member.call(STATUS)).body
    expect(over).toMatchObject({ active: false, session: { isCompleted: true, remainingTime: 0 } })
    const socket = await member.connected()
    const paid = new Promise<string | undefined>((resolve) => {
      socket.on('changed', ({ wallet }) => wallet && resolve(wallet.tesp[0]?.balance))
    })
    const { body } = await member.call(START)
    expect(body).toMatchObject({ active: true, session: { isCompleted: false } })
    expect(await member.balances()).toMatchObject({ tesp: '2.40000000' })
    // The credits of the first one are pushed too.
    expect(await paid).toBe('2.40000000')
  })
})

describe(STOP, () => {
  it('a stop without a session is rejected', async () => {
    expect(await member.call(STOP)).toMatchObject({
      status: 409,
      body: { message: 'Mining is not active', code: 'mining_inactive' },
    })
  })

  it('a stop leaves the uncredited part of the interval pending', async () => {
    await reachMilestone()
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
    expect(await member.balances()).toMatchObject({ tesp: '0.03333333' })
  })

  it('a stop after the 24 hours is rejected', async () => {
    await member.call(START)
    await pass(SESSION_MS)
    expect(await member.call(STOP)).toMatchObject({
      status: 409,
      body: { code: 'mining_inactive' },
    })
  })

  it('a session stopped immediately earns nothing', async () => {
    await member.call(START)
    const { body } = await member.call(STOP)
    expect(body).toMatchObject({ pendingRewards: '0.00000000', canClaim: false })
  })
})

describe('GET /api/wallet/earnings', () => {
  it('credits and claims of today are mined, and pending rewards are not', async () => {
    const query = { days: '7' }
    const days = async () => (await member.call('GET /api/wallet/earnings', { query })).body.days
    expect(await days()).toHaveLength(7)
    // A UTC day must not begin between the credits.
    await pass(1.5 * DAY_MS - ((await productNow(product.db)) % DAY_MS))
    await member.call(START)
    await pass(45 * MINUTE_MS)
    await credit()
    await member.call(STOP)
    expect((await days()).at(-1)?.mining).toBe('0.06666666')
    await member.call('POST /api/mining/claim')
    const [today, ...others] = (await days()).toReversed()
    expect(today?.mining).toBe('0.07500000')
    expect(new Set(others.map(({ mining }) => mining))).toEqual(new Set(['0.00000000']))
  })
})

describe('product clock', () => {
  it('a clock set back one hour leaves the remaining time within 24 hours', async () => {
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

  it('a clock set back after a credit changes neither the credit nor the pending rewards', async () => {
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
