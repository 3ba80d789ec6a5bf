import { expect, it } from 'vitest'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { operate } from '#operators/ops/testing/operate'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'

const product = useProduct({ frozen: true, audited: true })
const member = useMember(product)
const reason = 'a request of the member'
const args = () => [`id:${member.user?.id}`]
const sessions = () => product.db('mining_sessions').where({ userId: member.user?.id })

/** Of the member, and more than 24 hours old. */
async function quarantinedSession(): Promise<number> {
  await member.call('POST /api/mining/start')
  const quarantine = { quarantinedAt: product.db.fn.now(), quarantineReason: '23514: test' }
  const [{ id }] = await sessions().update(quarantine).returning('id')
  await advance(product.db, 25 * HOUR_MS)
  return id
}

it('ops sessions end stops the mining session as the member could, and pushes the change', async () => {
  await member.call('POST /api/mining/start')
  await advance(product.db, 25 * MINUTE_MS)
  const socket = await member.connected()
  const push = new Promise((done) => socket.once('changed', done))
  await operate(product, 'sessions end', args(), { reason })
  expect(await push).toMatchObject({ mining: { active: false } })
  expect((await member.balances()).tesp).toBe('0.03333333')
  const shown = await operate(product, 'sessions show', args(), { json: true })
  expect(JSON.parse(shown)).toMatchObject([{ status: 'stopped', creditedIntervals: 1 }])
})

it('ops sessions end without a running session is rejected', async () => {
  await expect(operate(product, 'sessions end', args(), { reason })).rejects.toThrow(
    'Mining is not active',
  )
})

it('ops quarantine release credits what was missed, and pushes its end with the inbox row', async () => {
  const id = await quarantinedSession()
  const socket = await member.connected()
  const push = new Promise((done) => socket.once('changed', done))
  expect(await operate(product, 'quarantine release', [String(id)], { reason })).toBe(
    `session ${id} is released and credited up to now`,
  )
  expect(await push).toMatchObject({
    mining: { active: false },
    wallet: { tesp: [{ balance: '2.40000000' }] },
    inbox: { unread: 1 },
  })
  expect(await product.db('inbox').where({ userId: member.user?.id }).pluck('kind')).toEqual([
    'session-ended',
  ])
})

it('ops quarantine release says why a session still fails, which stays quarantined', async () => {
  const id = await quarantinedSession()
  await product.db.raw(
    'alter table wallets add constraint not_repaired check (balance < 1) not valid',
  )
  await expect(operate(product, 'quarantine release', [String(id)], { reason })).rejects.toThrow(
    // A node of Citus names its shard too.
    new RegExp(`^Session ${id} still fails and stays quarantined: 23514: .*not_repaired`),
  )
  expect(await sessions().whereNotNull('quarantinedAt').pluck('id')).toEqual([id])
  await product.db.raw('alter table wallets drop constraint not_repaired')
  await operate(product, 'quarantine release', [String(id)], { reason })
})

it('ops sign-ins end closes the sockets of the member at once', async () => {
  const socket = await member.connected()
  const why = new Promise((done) => socket.once('signed-out', done))
  expect(await operate(product, 'sign-ins end', args(), { reason })).toBe('1 signed out')
  expect(await why).toBe('expired')
  expect((await member.call('GET /api/user')).status).toBe(401)
})

it('ops sign-ins end @everybody is logged before it waits for any member', async () => {
  const { db } = product
  const id = Number(member.user?.id)
  const members = Number((await db('users').count()).at(0)?.count)
  const epoch = async () => (await db('users').where({ id }).first('authEpoch')).authEpoch
  const before = await epoch()
  const logged = (tx: Tx) =>
    // On this connection: Postgres ends a transaction that is idle for 10 s.
    tx('operator_actions').where({ action: 'sign-ins end', userId: null }).pluck('details')
  const ended = await inTransaction(db, async (tx) => {
    await tx('users').where({ id }).forUpdate().first('id')
    const command = operate(product, 'sign-ins end', ['@everybody'], { reason })
    command.catch(() => {})
    await expect.poll(() => logged(tx)).toEqual([{ members }])
    return { command }
  })
  expect(await ended.command).toBe(`${members} signed out`)
  expect(await epoch()).toBe(before + 1)
})
