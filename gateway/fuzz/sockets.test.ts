import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from '#gateway/testing/product'
import { type MemberSocket, newMember, type Visitor } from '#gateway/testing/visitor'
import { NO_LIMITS } from './accounts.ts'
import { frame, openWebSocket, type WebSocket } from './raw-websocket.ts'
import { type BadPacket, badPackets } from './socket-packets.ts'
import { tableDigests } from './table-digests.ts'

/** A socket that is hung up on is closed within that time, ms. */
const HANG_UP_MS = 4_000
/** So long a socket that is borne is watched, ms. */
const WATCH_MS = 300
/** What the heap of this process may grow by, whatever is sent; bytes. */
const HEAP_BYTES = 100 * 1024 * 1024
const PACKETS = badPackets()
let product: Product
let url: string
let member: Visitor
let witness: Visitor
let watching: MemberSocket
let heapBefore: number

beforeAll(async () => {
  product = await startProduct({ env: { ...NO_LIMITS, SOCKETS_PER_MEMBER: '1000000' } })
  url = product.urls[0] ?? ''
  member = await newMember(product)
  witness = await newMember(product)
  watching = await witness.connected()
  heapBefore = process.memoryUsage().heapUsed
})
afterAll(async () => {
  witness.disconnect()
  await product.close()
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const own = () => ({ Origin: url, Cookie: member.jar.header() ?? '' })

/** Others are served: a socket that was there before hears of its member, and REST answers. */
async function expectServed(): Promise<void> {
  expect(watching.connected).toBe(true)
  const heard = new Promise((resolve) => watching.once('mining', resolve))
  const path = (await witness.call('GET /api/mining/status')).body.active ? 'stop' : 'start'
  expect((await witness.call(`POST /api/mining/${path}`)).status).toBe(200)
  await heard
}

async function connected(): Promise<WebSocket> {
  const socket = await openWebSocket(url, own())
  socket.text('40')
  await expect.poll(() => socket.heard(), { timeout: 5_000 }).toContain('40{"sid"')
  return socket
}

/** What is wrong with how a socket bore a packet. */
async function problemWith({ name, bytes, closes }: BadPacket, socket: WebSocket) {
  const greeted = socket.heard().length
  socket.write(bytes)
  const end = socket.closed.then(() => 'closed')
  const seen = await Promise.race([end, pause(closes ? HANG_UP_MS : WATCH_MS)])
  const said = socket.heard().slice(greeted)
  socket.destroy()
  if (closes && seen !== 'closed') return `${name}: is still open`
  // An error of the protocol, a close, a ping; never an event or an acknowledgement.
  return /4[235]\d*-?\[|node_modules|\.js|at /.test(said) ? `${name}: said ${said}` : undefined
}

async function inTurns<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  for (let at = 0; at < items.length; at += 20) {
    done.push(...(await Promise.all(items.slice(at, at + 20).map(work))))
  }
  return done
}

describe('a socket', () => {
  it('there are more than 100 bad packets', () => expect(PACKETS.length).toBeGreaterThan(100))

  it('of a member bears each bad packet, or is hung up on; the others are served', async () => {
    const before = await tableDigests(product.db)
    const problems = await inTurns(PACKETS, async (packet) =>
      problemWith(packet, await connected()),
    )
    expect(problems.filter(Boolean)).toEqual([])
    expect(await tableDigests(product.db)).toEqual(before)
    await expectServed()
  }, 60_000)

  it('of nobody bears each bad packet before it has said who it is', async () => {
    const problems = await inTurns(PACKETS, async (packet) => {
      const socket = await openWebSocket(url, { Origin: url })
      return problemWith({ ...packet, closes: false }, socket)
    })
    expect(problems.filter(Boolean)).toEqual([])
    await expectServed()
  }, 60_000)

  it.each([
    ['answers to questions that nobody asked', '430[]'],
    ['heartbeats', '3'],
    ['other rooms', '40/admin,'],
    ['empty packets', ''],
  ])('that sends thousands of packets a second keeps nobody waiting: %s', async (_, packet) => {
    const sockets = await Promise.all([1, 2, 3].map(connected))
    const burst = Buffer.concat(Array.from({ length: 500 }, () => frame(0x81, packet)))
    for (let round = 0; round < 6; round++) for (const socket of sockets) socket.write(burst)
    await expectServed()
    for (const socket of sockets) socket.destroy()
  })

  it('that sends a ping of the wire in thousands keeps nobody waiting', async () => {
    const socket = await connected()
    socket.write(Buffer.concat(Array.from({ length: 5_000 }, () => frame(0x89, 'a'.repeat(100)))))
    await expectServed()
    socket.destroy()
  })
})

it('after all of that the process holds little more than before', async () => {
  await expectServed()
  await pause(500)
  expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(HEAP_BYTES)
})
