import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { advance, freeze } from '#db/testing/clock'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { type Product, startProduct } from '#gateway/testing/product'
import { rawRequest } from '#gateway/testing/raw-request'
import { newMember, type Visitor } from '#gateway/testing/visitor'
import { MINUTE_MS } from '#rules/constants'

let product: Product
let member: Visitor

beforeAll(async () => {
  product = await startProduct({ gateways: 2 })
  await freeze(product.db)
})
afterAll(async () => {
  await expectCleanAudit(product)
  await product.close()
})
beforeEach(async () => {
  member = await newMember(product)
})

const keyed = (key: string, gateway = 0) => ({ headers: { 'Idempotency-Key': key }, gateway })
const earn = async () => {
  await member.call('POST /api/mining/start')
  await advance(product.db, 10 * MINUTE_MS)
  await member.call('POST /api/mining/stop')
}
const paid = () => product.db('wallet_activity').where({ userId: member.user?.id })

it('answers a repeated claim with its first answer and pays once', async () => {
  await earn()
  const first = await member.call('POST /api/mining/claim', keyed('claim-key-1'))
  expect(first).toMatchObject({ status: 200, body: { claimedTesp: '0.01666666' } })
  const again = await member.call('POST /api/mining/claim', keyed('claim-key-1', 1))
  expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
  expect(await paid()).toHaveLength(1)
})

it('answers 20 claims at once under one key with one answer', async () => {
  await earn()
  const claims = Array.from({ length: 20 }, (_, i) =>
    member.call('POST /api/mining/claim', keyed('claim-key-2', i % 2)),
  )
  const answers = (await Promise.all(claims)).map(({ status, body }) => ({ status, body }))
  const [first] = answers
  expect(first).toMatchObject({ status: 200, body: { claimedTesp: '0.01666666' } })
  expect(answers).toEqual(Array.from({ length: 20 }, () => first))
  expect(await paid()).toHaveLength(1)
})

/** A press as bytes, for senders that hang up. */
const pressed = (route: string, key: string) =>
  [
    `${route} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${member.jar.header()}`,
    `Idempotency-Key: ${key}`,
    'Content-Length: 0\r\n\r\n',
  ].join('\r\n')

it('pays once where the connection was reset before the answer came', async () => {
  // From before the request is read until after it was answered.
  for (const resetAfterMs of [0, 1, 2, 4, 6, 8, 12, 20, 40]) {
    member = await newMember(product)
    await earn()
    const key = `reset-after-${resetAfterMs}`
    const claim = pressed('POST /api/mining/claim', key)
    await rawRequest(product.urls[0] ?? '', claim, resetAfterMs)
    const again = await member.call('POST /api/mining/claim', keyed(key, 1))
    expect(again).toMatchObject({ status: 200, body: { claimedTesp: '0.01666666' } })
    expect(await paid()).toHaveLength(1)
  }
})

it('does not begin what its sender gave up while it waited for its turn', async () => {
  const id = member.user?.id ?? 0
  const first = await product.db.transaction(async (other) => {
    // Whatever the member presses now waits for this transaction, or for its turn behind it.
    await other('users').where({ id }).forUpdate().first('id')
    const profile = member.call('PATCH /api/user/profile', { body: { fullName: 'In Between' } })
    await expect.poll(() => waitsForLock()).toBe(true)
    await rawRequest(product.urls[0] ?? '', pressed('POST /api/mining/start', 'given-up'), 200)
    return { profile }
  })
  expect((await first.profile).status).toBe(200)
  expect((await member.call('POST /api/mining/stop')).status).toBe(409)
  expect(await product.db('mining_sessions').where({ userId: id })).toEqual([])
})

const waitsForLock = async () => {
  const { rows } = await product.db.raw(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}

it('answers a repeated start with its first answer', async () => {
  const first = await member.call('POST /api/mining/start', keyed('start-key'))
  const again = await member.call('POST /api/mining/start', keyed('start-key'))
  expect(again).toMatchObject({ status: 200, body: first.body })
})

it('keeps nothing of a refused command: the same key may succeed later', async () => {
  const refused = await member.call('POST /api/mining/claim', keyed('early-key'))
  expect(refused.status).toBe(400)
  await earn()
  const later = await member.call('POST /api/mining/claim', keyed('early-key'))
  expect(later).toMatchObject({ status: 200, body: { claimedTesp: '0.01666666' } })
})

it('refuses a key that was used for something else', async () => {
  await member.call('POST /api/mining/start', keyed('shared-key'))
  expect(await member.call('POST /api/mining/stop', keyed('shared-key'))).toMatchObject({
    status: 400,
    body: { message: 'Idempotency-Key was used before', code: 'bad_input' },
  })
})

it('gives a key of one member nothing to another', async () => {
  await earn()
  await member.call('POST /api/mining/claim', keyed('same-key-for-two'))
  const other = await newMember(product)
  expect(await other.call('POST /api/mining/claim', keyed('same-key-for-two'))).toMatchObject({
    status: 400,
    body: { message: 'No rewards to claim' },
  })
})

it.each(['short', 'with space in it', 'x'.repeat(129)])('refuses %j as a key', async (key) => {
  expect(await member.call('POST /api/mining/start', keyed(key))).toMatchObject({
    status: 400,
    body: { message: 'Idempotency-Key is not usable' },
  })
})
