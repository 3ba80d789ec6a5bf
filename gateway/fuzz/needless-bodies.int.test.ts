import { expect, it } from 'vitest'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { TARGETS } from './cases/targets.ts'
import { NO_LIMITS, newAccounts } from './harness/accounts.ts'

const product = useProduct({ env: NO_LIMITS })

/** Values that a client could try to set. */
const EXTRA_FIELDS = {
  hashRate: '1000',
  reward: '1000',
  amount: '1000',
  balance: '1000',
  miningBoost: 50,
  speed: 60,
  startTime: 0,
  now: 9e15,
  active: true,
  teamSize: 1_000,
  milestone: 1_000,
  token: 'USDT',
  referralCode: 'TESPWISHED',
  kycStatus: 'verified',
  isAdmin: true,
  id: 1,
  constructor: {},
}

const COLUMNS = {
  users: ['teamSize', 'miningBoost', 'teamLevel', 'kycStatus', 'referredBy', 'authEpoch'],
  wallets: ['balance', 'usdtBalance'],
  mining_stats: ['pendingRewards', 'pendingUsdtRewards', 'lastClaimTime'],
  mining_sessions: ['startTime', 'hashRate', 'status', 'reward', 'usdtReward'],
  wallet_activity: ['type', 'tokenType', 'amount', 'balanceAfter'],
}

/** Data that is equal for two members who sent the same commands, in the order of writing. */
const dataOf = (userId: number | undefined): Promise<unknown> =>
  Promise.all(
    Object.entries(COLUMNS).map(([table, columns]) =>
      product
        .db(table)
        .where(table === 'users' ? { id: userId } : { userId })
        .select(columns)
        .orderBy({ wallet_activity: 'seq', mining_stats: 'userId' }[table] ?? 'id'),
    ),
  )

it('commands without a body schema ignore a body', async () => {
  const [fuzzed, plain] = await newAccounts(product, 2)
  if (!fuzzed || !plain) throw new Error('two members are needed')
  const body = JSON.stringify({ ...EXTRA_FIELDS, memberId: plain.user?.id, userId: plain.user?.id })
  const commands = TARGETS.filter(
    (target) => target.takesEffect && !target.body && !target.isUpload,
  )
  // A start precedes a stop, and the logout comes last.
  const order = ({ path }: { path(): string }) =>
    ['start', 'stop', 'logout'].indexOf(path().split('/').at(-1) ?? '')
  for (const { route, method, path } of commands.toSorted((a, b) => order(a) - order(b))) {
    const sent = method === 'GET' ? {} : { body, headers: { 'Content-Type': 'application/json' } }
    const withBody = await fuzzed.fetch(path(), 0, { method, ...sent })
    const without = await plain.fetch(path(), 0, { method })
    expect({ route, status: withBody.status }).toEqual({ route, status: without.status })
    expect(await dataOf(fuzzed.user?.id), route).toEqual(await dataOf(plain.user?.id))
    await advance(product.db, 25 * MINUTE_MS)
  }
  expect(commands.length).toBeGreaterThanOrEqual(6)
  expect((await fuzzed.call('GET /api/user')).status).toBe(401)
})
