import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RouteName } from '#contract/routes'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { expectCleanAudit } from '#scripts/testing/gateway/expect-clean-audit'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2, frozen: true })
let devices: Visitor[]

beforeEach(async () => {
  const member = await newMember(product)
  const others = Array.from({ length: 7 }, (_, i) => member.otherDevice(i % 2))
  devices = [member, ...(await Promise.all(others))]
})
afterEach(() => expectCleanAudit(product))

/** Calls a route 100 times in parallel from all devices of the member over both gateways. */
async function callInParallel<R extends RouteName>(route: R) {
  const calls = Array.from({ length: 100 }, (_, i) =>
    devices[i % devices.length]?.call(route, { gateway: i % 2 }),
  )
  const answers = (await Promise.all(calls)).flatMap((answer) => answer ?? [])
  const accepted = answers.filter(({ status }) => status === 200)
  const statuses = new Set(
    answers.filter(({ status }) => status !== 200).map(({ status }) => status),
  )
  return { accepted, otherStatuses: [...statuses] }
}

const id = () => devices[0]?.user?.id ?? 0

it('100 parallel starts start one session', async () => {
  const { accepted, otherStatuses } = await callInParallel('POST /api/mining/start')
  expect(accepted).toHaveLength(1)
  expect(otherStatuses).toEqual([409])
  expect(await product.db('mining_sessions').where({ userId: id() })).toHaveLength(1)
})

it('100 parallel stops stop the session once and pay its rewards once', async () => {
  await devices[0]?.call('POST /api/mining/start')
  await advance(product.db, 50 * MINUTE_MS)
  const { accepted, otherStatuses } = await callInParallel('POST /api/mining/stop')
  expect(accepted).toMatchObject([{ body: { pendingRewards: '0.01666667' } }])
  expect(otherStatuses).toEqual([409])
  const wallet = await product.db('wallets').where({ userId: id() }).first()
  expect(wallet.balance).toBe('0.06666666')
})

it('100 parallel claims pay once', async () => {
  await devices[0]?.call('POST /api/mining/start')
  await advance(product.db, 19 * MINUTE_MS)
  await devices[0]?.call('POST /api/mining/stop')
  const { accepted, otherStatuses } = await callInParallel('POST /api/mining/claim')
  expect(accepted).toMatchObject([
    { body: { claimedTesp: '0.03166666', claimedUsdt: '0.00000000' } },
  ])
  expect(otherStatuses).toEqual([400])
  expect(await product.db('wallet_activity').where({ userId: id() })).toHaveLength(1)
})

it('parallel starts, stops and claims keep the audit clean', async () => {
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
