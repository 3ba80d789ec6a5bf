import { describe, expect, it } from 'vitest'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { MINUTE_MS, SECOND_MS } from '#rules/constants'
import { advance, freeze } from '#scripts/testing/db/clock'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'

const START = 'POST /api/mining/start'
const STOP = 'POST /api/mining/stop'
const CLAIM = 'POST /api/mining/claim'
const STATUS = 'GET /api/mining/status'
const product = useProduct({ frozen: true, audited: true })
const member = useMember(product)

const pass = (ms: number) => advance(product.db, ms)
/** Gives the member's team its first milestone: 2 % USDT. */
const reachMilestone = () =>
  product.db('users').where({ id: member.user?.id }).update({ teamLevel: 1 })

describe(CLAIM, () => {
  /** Mines for that many minutes and leaves the rewards pending. */
  const earn = async (minutes: number) => {
    await member.call(START)
    await pass(minutes * MINUTE_MS)
    await member.call(STOP)
  }

  it('a claim without pending rewards is rejected', async () => {
    expect(await member.call(CLAIM)).toMatchObject({
      status: 400,
      body: { message: 'No rewards to claim', code: 'nothing_to_claim' },
    })
  })

  it('a claim moves all pending TESP and USDT into the wallet with one activity each', async () => {
    await reachMilestone()
    await earn(15)
    const { status, body } = await member.call(CLAIM)
    expect({ status, body }).toEqual({
      status: 200,
      body: { claimedTesp: '0.02500000', claimedUsdt: '0.00050000' },
    })
    expect(await member.balances()).toEqual({ tesp: '0.02500000', usdt: '0.00050000' })
    const activity = (await member.call('GET /api/wallet/activity')).body
    expect(activity).toMatchObject([
      { type: 'usdt_reward', amount: '0.00050000', tokenType: 'USDT' },
      { type: 'mining_reward', amount: '0.02500000', tokenType: 'TESP' },
    ])
    const after = (await member.call(STATUS)).body
    expect(after).toMatchObject({ pendingRewards: '0.00000000', hasPendingRewards: false })
  })

  it('a second claim within 20 minutes is rejected with the remaining time', async () => {
    await earn(10)
    await member.call(CLAIM)
    await earn(0.9)
    await pass(SECOND_MS)
    const early = await member.call(CLAIM)
    expect(early).toMatchObject({
      status: 429,
      body: {
        message: 'Please wait 19m 05s before claiming again',
        code: 'claim_cooldown',
      },
    })
    expect((await member.call(STATUS)).body).toMatchObject({
      canClaim: false,
      cooldown: { inCooldown: true, remainingText: '19m 05s', remainingTime: 1_145_000 },
    })
    await pass(1_145_000)
    expect(await member.call(CLAIM)).toMatchObject({
      status: 200,
      body: { claimedTesp: '0.00150000' },
    })
  })

  it('Retry-After of a claim in cooldown is in real seconds', async () => {
    await earn(10)
    await member.call(CLAIM)
    await earn(1)
    await setClockSpeed(product.db, 60)
    const early = await member.call(CLAIM)
    await freeze(product.db)
    const seconds = Number(early.headers.get('Retry-After'))
    expect(seconds).toBeGreaterThan(10)
    expect(seconds).toBeLessThanOrEqual(19)
  })
})
