import { io, Manager } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SOCKET_PATH } from '#contract/events'
import { type Product, startProduct } from '#gateway/testing/product'
import { type MemberSocket, newMember, Visitor } from '#gateway/testing/visitor'

let product: Product
let member: Visitor
/** How the socket was closed of a member whose sign-in ended without a word to the gateways. */
let forgotten: Promise<string>

beforeAll(async () => {
  product = await startProduct({ gateways: 2, env: { SOCKETS_PER_MEMBER: '3' } })
  const quiet = await newMember(product)
  forgotten = signedOut(await quiet.connected())
  await product.db('users').where({ id: quiet.user?.id }).increment('authEpoch', 1)
})
afterAll(() => product.close())
beforeEach(async () => {
  member = await newMember(product)
})
afterEach(() => member.disconnect())

/** How a connection ends: `connected`, or why it was refused. */
const outcome = (socket: MemberSocket) =>
  new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'))
    socket.once('connect_error', (error) => resolve(error.message))
  })
const signedOut = (socket: MemberSocket) =>
  new Promise<string>((resolve) => socket.once('signed-out', resolve))
const closed = (socket: MemberSocket) =>
  new Promise<string>((resolve) => socket.once('disconnect', resolve))

describe('a socket', () => {
  it('connects with the cookie of a signed-in member, on any gateway', async () => {
    expect(await outcome(member.socket(0))).toBe('connected')
    expect(await outcome(member.socket(1))).toBe('connected')
  })

  it('is refused without a cookie, and with one that was not signed here', async () => {
    expect(await outcome(new Visitor(product).socket())).toBe('not_signed_in')
    const forged = { Cookie: 'tesp=AAAA; tesp.sig=BBBB' }
    expect(await outcome(new Visitor(product).socket(0, forged))).toBe('not_signed_in')
  })

  it('is refused to a browser that is not signed in', async () => {
    const visitor = new Visitor(product)
    await visitor.call('POST /api/verify/send-otp', { body: { email: 'anon@test.example' } })
    expect(await outcome(visitor.socket())).toBe('not_signed_in')
  })

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://tesp.example', 'file://'])(
    'is refused from a page of %s',
    async (origin) => {
      expect(await outcome(member.socket(0, { Origin: origin }))).not.toBe('connected')
    },
  )

  it('believes nothing that the handshake says', async () => {
    const other = await newMember(product)
    const url = product.urls[0] ?? ''
    const socket: MemberSocket = io(url, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      auth: { userId: other.user?.id, token: other.jar.header(), memberId: other.user?.id },
      query: { userId: String(other.user?.id) },
      extraHeaders: { Origin: url },
    })
    expect(await outcome(socket)).toBe('not_signed_in')
  })

  it('does not speak over polling', async () => {
    const answer = await member.fetch(`${SOCKET_PATH}/?EIO=4&transport=polling`)
    expect(answer.status).toBe(400)
  })

  it('is refused after a logout, with the cookie of before', async () => {
    const cookies = member.jar.copy()
    await member.call('POST /api/logout')
    member.jar = cookies
    expect(await outcome(member.socket())).toBe('not_signed_in')
  })

  it('is closed when it talks', async () => {
    const socket = await member.connected()
    const end = closed(socket)
    socket.send('hello')
    expect(await end).toBe('io server disconnect')
  })

  it('is refused beyond as many as a member may have open', async () => {
    const tabs = [await member.connected(), await member.connected(), await member.connected()]
    expect(await outcome(member.socket())).toBe('too_many_requests')
    expect(tabs.every((tab) => tab.connected)).toBe(true)
    tabs[0]?.disconnect()
    await expect.poll(() => outcome(member.socket())).toBe('connected')
  })

  it('asks to be let in once on a connection', async () => {
    const url = product.urls[0] ?? ''
    const manager = new Manager(url, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      extraHeaders: { Origin: url },
      reconnection: false,
    })
    await new Promise<void>((resolve) => manager.once('open', () => resolve()))
    const answers: unknown[] = []
    const end = new Promise((resolve) => manager.engine.once('close', resolve))
    manager.engine.on('data', (data) => answers.push(data))
    for (let i = 0; i < 10; i++) manager.engine.write('0')
    await end
    expect(answers.length).toBeLessThanOrEqual(1)
  })

  it('is closed when it sends more than 4 KiB', async () => {
    const socket = await member.connected()
    const code = new Promise((resolve) =>
      socket.once('disconnect', (_, details) => {
        const context = details && 'context' in details ? details.context : undefined
        resolve((context as { code?: number } | undefined)?.code)
      }),
    )
    socket.io.engine.write('x'.repeat(4_097))
    // "Message too big", of the protocol itself: it was never read.
    expect(await code).toBe(1009)
  })
})

describe('a logout', () => {
  it('closes the sockets of this sign-in on both gateways, another device stays', async () => {
    const device = await member.otherDevice()
    const mine = [await member.connected(0), await member.connected(1)]
    const theirs = await device.connected(1)
    const told = mine.map(signedOut)
    const ends = mine.map(closed)
    await member.call('POST /api/logout')
    expect(await Promise.all(told)).toEqual(['logout', 'logout'])
    // At once, long before the check that looks after sign-ins which nobody told of.
    const late = new Promise((resolve) => setTimeout(resolve, 5_000, 'late'))
    const disconnected = Promise.all(ends).then(() => 'closed')
    expect(await Promise.race([disconnected, late])).toBe('closed')
    await device.call('POST /api/mining/start')
    await new Promise<void>((resolve) => theirs.once('mining', () => resolve()))
    expect(theirs.connected).toBe(true)
    device.disconnect()
  })
})

describe('a password reset', () => {
  it('closes every socket of the member on both gateways', async () => {
    const device = await member.otherDevice(1)
    const sockets = [await member.connected(0), await device.connected(1)]
    const told = sockets.map(signedOut)
    const email = member.user?.email ?? ''
    const visitor = new Visitor(product)
    await product.db.raw(`update email_codes set "createdAt" = now() - interval '2 minutes'`)
    await visitor.call('POST /api/password/forgot', { body: { email } })
    const otp = await visitor.codeOf(email)
    const body = { email, otp, newPassword: 'Another horse 2' }
    expect((await visitor.call('POST /api/password/reset', { body })).status).toBe(200)
    expect(await Promise.all(told)).toEqual(['password-reset', 'password-reset'])
    expect((await member.call('GET /api/user')).status).toBe(401)
    device.disconnect()
  })
})

it('a sign-in that ended unheard closes its sockets within seconds', async () => {
  expect(await forgotten).toBe('expired')
})
