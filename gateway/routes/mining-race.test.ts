import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { RouteName } from '#contract/routes'
import { advance, freeze } from '#db/testing/clock'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { type Product, startProduct } from '#gateway/testing/product'
import { newMember, type Visitor } from '#gateway/testing/visitor'
import { MINUTE_MS } from '#rules/constants'

let product: Product
let devices: Visitor[]

beforeAll(async () => {
  product = await startProduct({ gateways: 2 })
  await freeze(product.db)
})
afterAll(() => product.close())
beforeEach(async () => {
  const member = await newMember(product)
  const others = Array.from({ length: 7 }, (_, i) => member.otherDevice(i % 2))
  devices = [member, ...(await Promise.all(others))]
})
afterEach(() => expectCleanAudit(product))

/** The member of all devices asks 100 times at once, over both gateways; answers by status. */
async function hundred<R extends RouteName>(route: R) {
  const calls = Array.from({ length: 100 }, (_, i) =>
    devices[i % devices.length]?.call(route, { gateway: i % 2 }),
  )
  const answers = (await Promise.all(calls)).flatMap((answer) => answer ?? [])
  const first = answers.filter(({ status }) => status === 200)
  const rest = new Set(answers.filter(({ status }) => status !== 200).map(({ status }) => status))
  return { first, rest: [...rest] }
}

const id = () => devices[0]?.user?.id ?? 0

it('starts one session for 100 starts at once', async () => {
  const { first, rest } = await hundred('POST /api/mining/start')
  expect(first).toHaveLength(1)
  expect(rest).toEqual([409])
  expect(await product.db('mining_sessions').where({ userId: id() })).toHaveLength(1)
})

it('stops it once for 100 stops at once, and pays what was earned once', async () => {
  await devices[0]?.call('POST /api/mining/start')
  await advance(product.db, 50 * MINUTE_MS)
  const { first, rest } = await hundred('POST /api/mining/stop')
  expect(first).toMatchObject([{ body: { pendingRewards: '0.01666667' } }])
  expect(rest).toEqual([409])
  const wallet = await product.db('wallets').where({ userId: id() }).first()
  expect(wallet.balance).toBe('0.06666666')
})

it('pays 100 claims at once one time', async () => {
  await devices[0]?.call('POST /api/mining/start')
  await advance(product.db, 19 * MINUTE_MS)
  await devices[0]?.call('POST /api/mining/stop')
  const { first, rest } = await hundred('POST /api/mining/claim')
  expect(first).toMatchObject([{ body: { claimedTesp: '0.03166666', claimedUsdt: '0.00000000' } }])
  expect(rest).toEqual([400])
  expect(await product.db('wallet_activity').where({ userId: id() })).toHaveLength(1)
})

it('pays once when starts, stops and claims come all at once', async () => {
  const routes = [
    'POST /api/mining/start',
    'POST /api/mining/stop',
    'POST /api/mining/claim',
  ] as const
  for (let round = 0; round < 4; round++) {
    const calls = Array.from({ length: 60 }, (_, i) =>
      devices[i % devices.length]?.call(routes[i % 3] ?? routes[0], { gateway: i % 2 }),
    )
    await advance(product.db, 7 * MINUTE_MS)
    const statuses = (await Promise.all(calls)).map((answer) => answer?.status ?? 0)
    expect(statuses.filter((status) => ![200, 400, 409, 429].includes(status))).toEqual([])
  }
})
