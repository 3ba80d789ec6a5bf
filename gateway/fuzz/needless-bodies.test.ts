import { afterAll, beforeAll, expect, it } from 'vitest'
import { advance } from '#db/testing/clock'
import { type Product, startProduct } from '#gateway/testing/product'
import { MINUTE_MS } from '#rules/constants'
import { NO_LIMITS, newCrowd } from './accounts.ts'
import { TARGETS } from './targets.ts'

/** What takes no body does with one what it does without: two members, one of whom sends wishes. */

let product: Product
beforeAll(async () => {
  product = await startProduct({ env: NO_LIMITS })
})
afterAll(() => product.close())

const WISHES = {
  ...{
    hashRate: '1000',
    reward: '1000',
    amount: '1000',
    balance: '1000',
    miningBoost: 50,
    speed: 60,
  },
  ...{ startTime: 0, now: 9e15, active: true, teamSize: 1_000, milestone: 1_000, token: 'USDT' },
  ...{ referralCode: 'TESPWISHED', kycStatus: 'verified', isAdmin: true, id: 1, constructor: {} },
}

/** What two members who did the same have in common. */
async function factsOf(userId: number | undefined): Promise<unknown> {
  const { db } = product
  const [user] = await db('users')
    .where({ id: userId })
    .select('teamSize', 'miningBoost', 'teamLevel', 'kycStatus', 'referredBy', 'authEpoch')
  const [wallet] = await db('wallets').where({ userId }).select('balance', 'usdtBalance')
  const [stats] = await db('mining_stats')
    .where({ userId })
    .select('pendingRewards', 'pendingUsdtRewards', 'lastClaimTime')
  const sessions = await db('mining_sessions')
    .where({ userId })
    .select('startTime', 'hashRate', 'status', 'reward', 'usdtReward')
    .orderBy('id')
  const activity = await db('wallet_activity')
    .where({ userId })
    .select('type', 'tokenType', 'amount', 'balanceAfter')
    .orderBy('seq')
  return { user, wallet, stats, sessions, activity }
}

it('a command that takes no body does nothing of what stands in one', async () => {
  const [wishes, plain] = await newCrowd(product, 2)
  if (!wishes || !plain) throw new Error('no crowd')
  const body = JSON.stringify({ ...WISHES, memberId: plain.user?.id, userId: plain.user?.id })
  const commands = TARGETS.filter(
    (target) => target.takesEffect && !target.body && !target.isUpload,
  )
  // A start goes before a stop, and the sign-in ends last.
  const order = ({ path }: { path(): string }) =>
    ['start', 'stop', 'logout'].indexOf(path().split('/').at(-1) ?? '')
  for (const { route, method, path } of commands.toSorted((a, b) => order(a) - order(b))) {
    const sent = method === 'GET' ? {} : { body, headers: { 'Content-Type': 'application/json' } }
    const asked = await wishes.fetch(path(), 0, { method, ...sent })
    const same = await plain.fetch(path(), 0, { method })
    expect({ route, status: asked.status }).toEqual({ route, status: same.status })
    expect(await factsOf(wishes.user?.id), route).toEqual(await factsOf(plain.user?.id))
    await advance(product.db, 25 * MINUTE_MS)
  }
  expect(commands.length).toBeGreaterThanOrEqual(6)
  expect((await wishes.call('GET /api/user')).status).toBe(401)
})
