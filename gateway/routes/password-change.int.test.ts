import { expect, it, vi } from 'vitest'
import { AuthSessionStore } from '#gateway/services/auth-session-store'
import { mailsTo } from '#scripts/testing/gateway/mails-to'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { PASSWORD, type Visitor } from '#scripts/testing/gateway/visitor'

const ROUTE = 'POST /api/user/password'
const NEW = 'Another horse 2'
const KEY = 'Idempotency-Key'
const product = useProduct({ gateways: 2 })
const member = useMember(product)

const change = (visitor: Visitor, body = {}, key?: string) =>
  visitor.call(ROUTE, {
    body: { password: PASSWORD, newPassword: NEW, ...body },
    headers: key ? { [KEY]: key } : {},
  })
const isSignedIn = async (visitor: Visitor) => (await visitor.call('GET /api/user')).status === 200
const waitsForRow = async () => {
  const { rows } = await product.db.raw(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length > 0
}
const mails = async () =>
  (await mailsTo(product, member.user?.email)).filter(({ subject }) =>
    subject.includes('password was changed'),
  )

it('a member changes the password with the old one; all other sign-ins and sockets end', async () => {
  const phone = await member.otherDevice(1)
  const phoneSocket = await phone.connected()
  const reason = new Promise((resolve) => phoneSocket.once('signed-out', resolve))
  const socket = await member.connected()
  expect(await change(member)).toMatchObject({
    status: 200,
    body: { success: true, message: 'Your password has been changed' },
  })
  expect(await reason).toBe('password-reset')
  expect(await isSignedIn(phone)).toBe(false)
  expect(await isSignedIn(member)).toBe(true)
  expect(socket.connected).toBe(true)
  expect((await phone.login(member.user?.username, PASSWORD)).status).toBe(401)
  expect((await phone.login(member.user?.username, NEW)).status).toBe(200)
})

it('a change whose own sign-in cannot be renewed ends the others and sends its mail', async () => {
  const phone = await member.otherDevice(1)
  const phoneSocket = await phone.connected()
  const reason = new Promise((resolve) => phoneSocket.once('signed-out', resolve))
  vi.spyOn(AuthSessionStore.prototype, 'update').mockRejectedValueOnce(new Error('timed out'))
  expect((await change(member)).status).toBeGreaterThanOrEqual(500)
  expect(await reason).toBe('password-reset')
  expect(await mails()).toHaveLength(1)
})

it('a change sends one mail, without the password', async () => {
  await change(member)
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail?.text).toContain('Your password was changed, and every other sign-in has ended:')
  expect(mail?.text).not.toContain(NEW)
})

it('a wrong old password changes nothing and is counted', async () => {
  for (let i = 0; i < 10; i++) {
    expect(await change(member, { password: `guess ${i}` })).toMatchObject({
      status: 403,
      body: { message: 'Password is not correct', code: 'wrong_password' },
    })
  }
  expect((await change(member)).status).toBe(429)
  expect((await member.login()).status).toBe(200)
  expect(await mails()).toEqual([])
})

it('a repeated request with the same key gets the first answer and has one effect', async () => {
  const first = await change(member, {}, 'change-0001')
  const again = await change(member, {}, 'change-0001')
  expect(again).toMatchObject({ status: 200, body: first.body })
  expect(await mails()).toHaveLength(1)
  expect((await change(member)).status).toBe(403)
})

it('parallel changes from two browsers have one effect', async () => {
  const phone = await member.otherDevice(1)
  const answers = await Promise.all([change(member), change(phone, { newPassword: `${NEW}!` })])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await mails()).toHaveLength(1)
})

// A new password by mail takes no lock of the member: who holds the old one must not undo it.
it.each([
  ['a change', () => change(member)],
  [
    'the end of other sign-ins',
    () => member.call('POST /api/user/sign-ins/end-others', { body: { password: PASSWORD } }),
  ],
])('%s that waits for a new password by mail ends with its sign-in', async (_, request) => {
  const id = member.user?.id
  const waiting = await product.db.transaction(async (reset) => {
    const epoch = reset.raw('"authEpoch" + 1')
    await reset('users').where({ id }).update({ password: 'by mail', authEpoch: epoch })
    const answer = request()
    await expect.poll(waitsForRow).toBe(true)
    return { answer }
  })
  expect((await waiting.answer).status).toBe(401)
  expect(await isSignedIn(member)).toBe(false)
  const [row] = await product.db('users').where({ id }).select('password', 'authEpoch')
  expect(row).toEqual({ password: 'by mail', authEpoch: 1 })
})

it('invalid fields are reported with their messages', async () => {
  expect(await change(member, { password: '', newPassword: 'short' })).toMatchObject({
    status: 400,
    body: {
      fields: {
        password: 'Password is required',
        newPassword: 'Password must be at least 8 characters',
      },
    },
  })
})
