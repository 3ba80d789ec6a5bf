import { setTimeout as sleep } from 'node:timers/promises'
import { io, Manager } from 'socket.io-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { SOCKET_PATH } from '#contract/events'
import { startGateway } from '#gateway/server'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { type MemberSocket, newMember, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'
import { rawRequest } from '#scripts/testing/gateway/wire/raw-request'

const product = useProduct({ gateways: 2, env: { SOCKETS_PER_MEMBER: '3' } })
const member = useMember(product)
/** Why the socket of a member was closed whose epoch was raised without publishing a change. */
let unpublishedEnd: Promise<string>
/** The socket of a member who has ended all other sign-ins. */
let keptSocket: MemberSocket

beforeAll(async () => {
  const keeper = await newMember(product)
  keptSocket = await keeper.connected()
  const body = { password: PASSWORD }
  await keeper.call('POST /api/user/sign-ins/end-others', { body })
  const other = await newMember(product)
  unpublishedEnd = signedOut(await other.connected())
  await product.db('users').where({ id: other.user?.id }).increment('authEpoch', 1)
})

/** The outcome of a handshake: `connected` or the reason of its rejection. */
const outcome = (socket: MemberSocket) =>
  new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'))
    socket.once('connect_error', (error) => resolve(error.message))
  })
const signedOut = (socket: MemberSocket) =>
  new Promise<string>((resolve) => socket.once('signed-out', resolve))
/** The TCP connection of a socket. */
type Wire = { pause(): void; destroy(): void }
const closed = (socket: MemberSocket) =>
  new Promise<string>((resolve) => socket.once('disconnect', resolve))

describe('socket', () => {
  it('a socket with the cookie of a signed-in member connects to any gateway', async () => {
    expect(await outcome(member.socket(0))).toBe('connected')
    expect(await outcome(member.socket(1))).toBe('connected')
  })

  it('a socket without a cookie or with a forged one is rejected', async () => {
    expect(await outcome(new Visitor(product).socket())).toBe('not_signed_in')
    const forged = { Cookie: 'tesp=AAAA; tesp.sig=BBBB' }
    expect(await outcome(new Visitor(product).socket(0, forged))).toBe('not_signed_in')
  })

  it('a socket of a browser that is not signed in is rejected', async () => {
    const visitor = new Visitor(product)
    await visitor.call('POST /api/verify/send-otp', { body: { email: 'anon@test.example' } })
    expect(await outcome(visitor.socket())).toBe('not_signed_in')
  })

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://tesp.example', 'file://'])(
    'a socket from a page of %s is rejected',
    async (origin) => {
      expect(await outcome(member.socket(0, { Origin: origin }))).not.toBe('connected')
    },
  )

  it('ids and tokens in the handshake are ignored', async () => {
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

  it('the polling transport is rejected', async () => {
    const answer = await member.fetch(`${SOCKET_PATH}/?EIO=4&transport=polling`)
    expect(answer.status).toBe(400)
  })

  it('a socket with the cookie of an ended sign-in is rejected', async () => {
    const cookies = member.jar.copy()
    await member.call('POST /api/logout')
    member.jar = cookies
    expect(await outcome(member.socket())).toBe('not_signed_in')
  })

  it('a client that emits an event is disconnected', async () => {
    const socket = await member.connected()
    const end = closed(socket)
    socket.send('hello')
    expect(await end).toBe('transport close')
  })

  /** A connection of Engine.IO without a Socket.IO client, and its end. */
  async function bareConnection(headers: Record<string, string> = {}) {
    const url = product.urls[0] ?? ''
    const manager = new Manager(url, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      extraHeaders: { Origin: url, ...headers },
      reconnection: false,
    })
    await new Promise<void>((resolve) => manager.once('open', () => resolve()))
    const end = new Promise((resolve) => manager.engine.once('close', resolve))
    return { engine: manager.engine, end }
  }

  it('a connection that leaves its namespace is closed', async () => {
    const { engine, end } = await bareConnection({ Cookie: member.jar.header() ?? '' })
    const answers: string[] = []
    engine.on('data', (data) => answers.push(String(data)))
    engine.write('0')
    await expect.poll(() => answers.length).toBe(1)
    engine.write('1')
    expect(await end).toBe('transport close')
  })

  it('a connection that joins unknown namespaces gets one answer at most', async () => {
    const { engine, end } = await bareConnection()
    const answers: unknown[] = []
    engine.on('data', (data) => answers.push(data))
    for (let n = 0; n < 1_000; n++) engine.write(`0/unknown-${n},`)
    await end
    expect(answers.length).toBeLessThanOrEqual(1)
  })

  it('a connection that sends nothing is cut before the 30 s of Socket.IO', async () => {
    const { end } = await bareConnection()
    const openedAt = Date.now()
    expect(await end).toBe('transport close')
    expect(Date.now() - openedAt).toBeLessThan(28_000)
  })

  it('a connection gets no second transport', async () => {
    const { engine } = await bareConnection()
    const { id } = engine as unknown as { id: string }
    const upgrade = [
      `GET ${SOCKET_PATH}/?EIO=4&transport=websocket&sid=${id} HTTP/1.1`,
      `Host: ${new URL(product.urls[0] ?? '').host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    const answer = await rawRequest(product.urls[0] ?? '', `${upgrade.join('\r\n')}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    engine.close()
  })

  it('a ping frame gets no answer', async () => {
    const { engine } = await bareConnection()
    const { ws } = engine.transport as unknown as {
      ws: { ping(): void; on(event: 'pong', heard: () => void): void }
    }
    let pongs = 0
    ws.on('pong', () => pongs++)
    ws.ping()
    await sleep(500)
    expect(pongs).toBe(0)
    engine.close()
  })

  it('a socket beyond the limit of the member replaces the oldest and no other', async () => {
    const tabs = [await member.connected(), await member.connected(), await member.connected()]
    const elsewhere = await member.connected(1)
    const replaced = new Promise<void>((resolve) => tabs[0]?.once('replaced', () => resolve()))
    const end = closed(tabs[0] as MemberSocket)
    const newest = await member.connected()
    await replaced
    expect(await end).toBe('io server disconnect')
    const open = [...tabs, elsewhere, newest].map(({ connected }) => connected)
    expect(open).toEqual([false, true, true, true, true])
    const pushes = [tabs[1], newest].map((tab) => new Promise((done) => tab?.once('changed', done)))
    await member.call('POST /api/mining/start')
    await Promise.all(pushes)
  })

  it('a second CONNECT on one connection is rejected', async () => {
    const { engine, end } = await bareConnection()
    const answers: unknown[] = []
    engine.on('data', (data) => answers.push(data))
    for (let i = 0; i < 10; i++) engine.write('0')
    await end
    expect(answers.length).toBeLessThanOrEqual(1)
  })

  it('a client that sends more than 4 KiB is disconnected', async () => {
    const socket = await member.connected()
    const code = new Promise((resolve) =>
      socket.once('disconnect', (_, details) => {
        const context = details && 'context' in details ? details.context : undefined
        resolve((context as { code?: number } | undefined)?.code)
      }),
    )
    socket.io.engine.write('x'.repeat(4_097))
    // WebSocket close code "message too big": the gateway did not parse the message.
    expect(await code).toBe(1009)
  })
})

describe('logout', () => {
  it('a logout closes the sockets of this sign-in on both gateways and of no other device', async () => {
    const device = await member.otherDevice()
    const mine = [await member.connected(0), await member.connected(1)]
    const theirs = await device.connected(1)
    const reasons = mine.map(signedOut)
    const ends = mine.map(closed)
    await member.call('POST /api/logout')
    expect(await Promise.all(reasons)).toEqual(['logout', 'logout'])
    // By the published change, long before the periodic session check.
    const late = new Promise((resolve) => setTimeout(resolve, 5_000, 'late'))
    const disconnected = Promise.all(ends).then(() => 'closed')
    expect(await Promise.race([disconnected, late])).toBe('closed')
    await device.call('POST /api/mining/start')
    await new Promise<void>((resolve) => theirs.once('changed', () => resolve()))
    expect(theirs.connected).toBe(true)
    device.disconnect()
  })
})

describe('password reset', () => {
  it('a password reset closes every socket of the member on both gateways', async () => {
    const device = await member.otherDevice(1)
    const sockets = [await member.connected(0), await device.connected(1)]
    const reasons = sockets.map(signedOut)
    const email = member.user?.email ?? ''
    const visitor = new Visitor(product)
    await product.db.raw(`update email_codes set "createdAt" = now() - interval '2 minutes'`)
    await visitor.call('POST /api/password/forgot', { body: { email } })
    const otp = await visitor.codeOf(email)
    const body = { email, otp, newPassword: 'Another horse 2' }
    expect((await visitor.call('POST /api/password/reset', { body })).status).toBe(200)
    expect(await Promise.all(reasons)).toEqual(['password-reset', 'password-reset'])
    expect((await member.call('GET /api/user')).status).toBe(401)
    device.disconnect()
  })
})

it('the periodic session check closes sockets whose sign-in ended without a published change', async () => {
  expect(await unpublishedEnd).toBe('expired')
})

it('the periodic session check keeps the socket of a sign-in that ended all others', async () => {
  await unpublishedEnd
  expect(keptSocket.connected).toBe(true)
  keptSocket.disconnect()
})

it('a client that does not answer the close frame does not keep a gateway from closing', async () => {
  const gateway = await startGateway(product.config)
  const manager = new Manager(`http://127.0.0.1:${gateway.port}`, {
    path: SOCKET_PATH,
    transports: ['websocket'],
    extraHeaders: { Cookie: member.jar.header() ?? '' },
    reconnection: false,
  })
  const socket = manager.socket('/')
  expect(await outcome(socket)).toBe('connected')
  const { transport } = manager.engine as unknown as { transport: { ws: { _socket: Wire } } }
  transport.ws._socket.pause()
  // Detects a hang: ws waits 30 s for the answer to its close frame.
  const late = new Promise((resolve) => setTimeout(resolve, 20_000, 'late'))
  expect(await Promise.race([gateway.close().then(() => 'closed'), late])).toBe('closed')
  transport.ws._socket.destroy()
})
