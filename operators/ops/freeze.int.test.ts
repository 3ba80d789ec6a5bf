import { expect, it } from 'vitest'
import { operate } from '#operators/ops/testing/operate'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ gateways: 2, frozen: true, audited: true })
const member = useMember(product)

const reason = 'We check a report'
const name = () => member.user?.username ?? ''
const freeze = () => operate(product, 'members freeze', [name()], { reason })
const unfreeze = () => operate(product, 'members unfreeze', [name()], { reason: 'checked' })
const REFUSAL = {
  status: 403,
  body: { code: 'account_frozen', message: 'Your account is frozen: We check a report' },
}

it('a freeze ends sign-ins and sockets on every gateway and stops the session', async () => {
  await member.call('POST /api/mining/start')
  await advance(product.db, 50 * MINUTE_MS)
  const phone = await member.otherDevice(1)
  const sockets = await Promise.all([member.connected(0), phone.connected(1)])
  const reasons = sockets.map((socket) => new Promise((done) => socket.once('signed-out', done)))
  expect(await freeze()).toBe(`member ${member.user?.id} is frozen; the running session is stopped`)
  expect(await Promise.all(reasons)).toEqual(['account-frozen', 'account-frozen'])
  for (const who of [member, phone]) {
    expect((await who.call('GET /api/user')).status).toBe(401)
    expect((await who.call('POST /api/mining/claim')).status).toBe(401)
  }
  phone.disconnect()
})

it('the reason of a freeze is answered to the right password only', async () => {
  await freeze()
  expect(await new Visitor(product).login(name())).toMatchObject(REFUSAL)
  expect(await member.login(member.user?.email)).toMatchObject(REFUSAL)
  expect(await new Visitor(product).login(name(), 'a wrong password')).toMatchObject({
    status: 401,
    body: { code: 'wrong_credentials' },
  })
  expect((await member.call('GET /api/user')).status).toBe(401)
})

it('a refused sign-in from a new browser mails no notice of a sign-in', async () => {
  await freeze()
  const mails = () => product.db('mails').where({ recipient: member.user?.email }).pluck('subject')
  const before = await mails()
  expect(await new Visitor(product).login(name())).toMatchObject(REFUSAL)
  expect(await mails()).toEqual(before)
})

it('a new password does not end a freeze', async () => {
  await freeze()
  const { email = '' } = member.user ?? {}
  const visitor = new Visitor(product)
  await visitor.call('POST /api/password/forgot', { body: { email } })
  const body = { email, otp: await visitor.codeOf(email), newPassword: 'Another horse 2' }
  expect((await visitor.call('POST /api/password/reset', { body })).status).toBe(200)
  expect(await visitor.login(name(), 'Another horse 2')).toMatchObject(REFUSAL)
})

it('an unfrozen member signs in, keeps balance and pending rewards, and mines again', async () => {
  await member.call('POST /api/mining/start')
  await advance(product.db, 50 * MINUTE_MS)
  await freeze()
  await unfreeze()
  expect((await member.login(name(), PASSWORD)).status).toBe(200)
  expect((await member.balances()).tesp).toBe('0.06666666')
  expect((await member.call('POST /api/mining/claim')).body.claimedTesp).toBe('0.01666667')
  expect((await member.call('POST /api/mining/start')).status).toBe(200)
})

it('commands in parallel with a freeze leave no running session', async () => {
  const starts = Array.from({ length: 20 }, (_, n) =>
    member.call('POST /api/mining/start', { gateway: n % 2 }),
  )
  const [, ...answers] = await Promise.all([freeze(), ...starts])
  for (const { status } of answers) expect([200, 401, 409]).toContain(status)
  const running = { userId: member.user?.id, active: true }
  expect(await product.db('mining_sessions').where(running)).toEqual([])
  expect((await member.call('POST /api/mining/start')).status).toBe(401)
})
