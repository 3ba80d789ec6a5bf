import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { lockMember } from '#db/members/execute-once'
import { inTransaction } from '#db/postgres/statements/transaction'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember } from '#scripts/testing/gateway/visitor'
import { rawRequest } from '#scripts/testing/gateway/wire/raw-request'

const product = useProduct({ gateways: 2, frozen: true, audited: true })
const member = useMember(product)

const keyed = (idempotencyKey: string, gateway = 0) => ({
  headers: { 'Idempotency-Key': idempotencyKey },
  gateway,
})
const earn = async () => {
  await member.call('POST /api/mining/start')
  await advance(product.db, 10 * MINUTE_MS)
  await member.call('POST /api/mining/stop')
}
const paid = () => product.db('wallet_activity').where({ userId: member.user?.id })

it('a repeated claim gets the first answer and pays once', async () => {
  await earn()
  const first = await member.call('POST /api/mining/claim', keyed('claim-key-1'))
  expect(first).toMatchObject({ status: 200, body: { claimedTesp: '0.01666666' } })
  const again = await member.call('POST /api/mining/claim', keyed('claim-key-1', 1))
  expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body })
  expect(await paid()).toHaveLength(1)
})

it('20 parallel claims with one key get one answer and pay once', async () => {
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

/** A command as raw HTTP, for clients that disconnect early. */
const rawCommand = (route: string, idempotencyKey: string) =>
  [
    `${route} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${member.jar.header()}`,
    `Idempotency-Key: ${idempotencyKey}`,
    'Content-Length: 0\r\n\r\n',
  ].join('\r\n')

it('a claim repeated after a connection reset pays once', async () => {
  // From before the gateway reads the request until after it has answered.
  for (const resetAfterMs of [0, 1, 2, 4, 6, 8, 12, 20, 40]) {
    await member.becomeNewMember()
    await earn()
    const idempotencyKey = `reset-after-${resetAfterMs}`
    const claim = rawCommand('POST /api/mining/claim', idempotencyKey)
    await rawRequest(product.urls[0] ?? '', claim, resetAfterMs)
    const again = await member.call('POST /api/mining/claim', keyed(idempotencyKey, 1))
    expect(again).toMatchObject({ status: 200, body: { claimedTesp: '0.01666666' } })
    expect(await paid()).toHaveLength(1)
  }
})

it('a queued command whose client has disconnected is skipped', async () => {
  const id = member.user?.id ?? 0
  const first = await inTransaction(product.db, async (blocker) => {
    // The profile update now waits for this row lock, and the start for the member's mutex.
    await blocker('users').where({ id }).forUpdate().first('id')
    const profile = member.call('PATCH /api/user/profile', { body: { fullName: 'In Between' } })
    await expect.poll(() => waitsForLock()).toBe(true)
    await rawRequest(product.urls[0] ?? '', rawCommand('POST /api/mining/start', 'abandoned'), 200)
    return { profile }
  })
  expect((await first.profile).status).toBe(200)
  expect((await member.call('POST /api/mining/stop')).status).toBe(409)
  expect(await product.db('mining_sessions').where({ userId: id })).toEqual([])
})

/** How many connections wait for a row lock. */
const lockWaits = async () => {
  const { rows } = await product.db.raw(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}
const waitsForLock = async () => (await lockWaits()) > 0

it('a repeated start gets the first answer', async () => {
  const first = await member.call('POST /api/mining/start', keyed('start-key'))
  const again = await member.call('POST /api/mining/start', keyed('start-key'))
  expect(again).toMatchObject({ status: 200, body: first.body })
})

it('the key of a rejected command can be used again', async () => {
  const refused = await member.call('POST /api/mining/claim', keyed('early-key'))
  expect(refused.status).toBe(400)
  await earn()
  const later = await member.call('POST /api/mining/claim', keyed('early-key'))
  expect(later).toMatchObject({ status: 200, body: { claimedTesp: '0.01666666' } })
})

it('a key that was used for another route is rejected', async () => {
  await member.call('POST /api/mining/start', keyed('shared-key'))
  expect(await member.call('POST /api/mining/stop', keyed('shared-key'))).toMatchObject({
    status: 400,
    body: { message: 'Idempotency-Key was used before', code: 'bad_input' },
  })
})

const cancel = (key: string, gateway = 0) =>
  member.call('POST /api/commands/cancel', { body: { key }, gateway })

it('a cancelled key never takes effect', async () => {
  expect(await cancel('cancelled-key')).toMatchObject({ status: 200, body: { cancelled: true } })
  expect(await cancel('cancelled-key', 1)).toMatchObject({ body: { cancelled: true } })
  await member.becomeNewMember()
  await cancel('cancelled-key')
  expect(await member.call('POST /api/mining/start', keyed('cancelled-key', 1))).toMatchObject({
    status: 409,
    body: { code: 'command_cancelled' },
  })
  expect(await product.db('mining_sessions').where({ userId: member.user?.id })).toEqual([])
})

it('the key of a command that took effect is not cancelled', async () => {
  await member.becomeNewMember()
  const first = await member.call('POST /api/mining/start', keyed('used-key'))
  expect(await cancel('used-key', 1)).toMatchObject({
    status: 200,
    body: { cancelled: false, answer: first.body },
  })
  const again = await member.call('POST /api/mining/start', keyed('used-key'))
  expect(again).toMatchObject({ status: 200, body: first.body })
})

it('cancellations of one member hold one database connection', async () => {
  await member.becomeNewMember()
  const cancels = await inTransaction(product.db, async (blocker) => {
    await lockMember(blocker, member.user?.id ?? 0)
    const all = Promise.all(Array.from({ length: 5 }, (_, n) => cancel(`cancel-of-many-${n}`)))
    await expect.poll(waitsForLock).toBe(true)
    await sleep(300)
    expect(await lockWaits()).toBe(1)
    return { all }
  })
  for (const { body } of await cancels.all) expect(body).toMatchObject({ cancelled: true })
})

it('a command and its cancellation at the same time agree on the outcome', async () => {
  for (let round = 0; round < 20; round++) {
    await member.becomeNewMember()
    const key = `race-of-cancel-${round}`
    const [started, cancelled] = await Promise.all([
      member.call('POST /api/mining/start', keyed(key)),
      cancel(key, 1),
    ])
    expect(cancelled.body.cancelled).toBe(started.status === 409)
    const sessions = await product.db('mining_sessions').where({ userId: member.user?.id })
    expect(sessions).toHaveLength(cancelled.body.cancelled ? 0 : 1)
  }
})

it.each(['short', 'with space in it'])('a malformed key %j is not cancelled', async (key) => {
  expect((await cancel(key)).status).toBe(400)
})

it('keys of different members are independent', async () => {
  await earn()
  await member.call('POST /api/mining/claim', keyed('same-key-for-two'))
  const other = await newMember(product)
  expect(await other.call('POST /api/mining/claim', keyed('same-key-for-two'))).toMatchObject({
    status: 400,
    body: { message: 'No rewards to claim' },
  })
})

it.each(['short', 'with space in it', 'x'.repeat(129)])(
  'the malformed key %j is rejected',
  async (idempotencyKey) => {
    expect(await member.call('POST /api/mining/start', keyed(idempotencyKey))).toMatchObject({
      status: 400,
      body: { message: 'Idempotency-Key is not usable' },
    })
  },
)
