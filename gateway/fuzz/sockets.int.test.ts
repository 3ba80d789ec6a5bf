import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { type MemberSocket, newMember, type Visitor } from '#scripts/testing/gateway/visitor'
import { frame, openRawSocket, type RawSocket } from '#scripts/testing/gateway/wire/raw-socket'
import { type PacketCase, packetCases } from './cases/socket-packets.ts'
import { NO_LIMITS } from './harness/accounts.ts'
import { tableDigests } from './harness/table-digests.ts'

/** Time within which the gateway must close a socket, ms. */
const CLOSE_LIMIT_MS = 4_000
/** Time for which a tolerated packet is observed, ms. */
const OBSERVE_MS = 300
const PARALLEL_SOCKETS = 40
/** Maximum growth of the heap over the whole file, bytes. */
const MAX_HEAP_GROWTH = 100 * 1024 * 1024
const PACKETS = packetCases()
const product = useProduct({ env: { ...NO_LIMITS, SOCKETS_PER_MEMBER: '1000000' } })
let url: string
let member: Visitor
let bystander: Visitor
let bystanderSocket: MemberSocket
let heapBefore: number

beforeAll(async () => {
  url = product.urls[0] ?? ''
  member = await newMember(product)
  bystander = await newMember(product)
  bystanderSocket = await bystander.connected()
  heapBefore = heapUsed()
})
afterAll(() => bystander.disconnect())

/** Bytes of the heap that are no garbage. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Another member is not affected: the socket is still open and gets a push, and REST answers. */
async function expectBystanderServed(): Promise<void> {
  expect(bystanderSocket.connected).toBe(true)
  const pushed = new Promise((resolve) => bystanderSocket.once('changed', resolve))
  const { body } = await bystander.call('GET /api/mining/status')
  const command = body.active ? 'POST /api/mining/stop' : 'POST /api/mining/start'
  expect((await bystander.call(command)).status).toBe(200)
  await pushed
}

async function connected(): Promise<RawSocket> {
  const headers = { Origin: url, Cookie: member.jar.header() ?? '' }
  const socket = await openRawSocket(url, { headers })
  socket.send('40')
  await expect.poll(() => socket.received()).toContain('40{"sid"')
  return socket
}

/** The fault of the reaction of the gateway to a packet, or undefined. */
async function packetViolation(
  { name, bytes, closes }: PacketCase,
  socket: RawSocket,
): Promise<string | undefined> {
  const before = socket.received().length
  socket.write(bytes)
  const closed = socket.closed.then(() => true)
  const limitMs = closes ? CLOSE_LIMIT_MS : OBSERVE_MS
  const isClosed = await Promise.race([closed, sleep(limitMs, false)])
  const response = socket.received().slice(before)
  socket.destroy()
  if (closes && !isClosed) return `${name}: the socket is still open`
  // Protocol errors, closes and pings are allowed; events, acknowledgements and internals are not.
  const isForbidden = /4[235]\d*-?\[|node_modules|\.js|at /.test(response)
  return isForbidden ? `${name}: received ${response}` : undefined
}

/** Sends each packet on a new socket and returns the violations. */
async function fuzz(packets: PacketCase[], open: () => Promise<RawSocket>): Promise<string[]> {
  const violations: (string | undefined)[] = []
  for (let at = 0; at < packets.length; at += PARALLEL_SOCKETS) {
    const batch = packets.slice(at, at + PARALLEL_SOCKETS)
    const results = batch.map(async (packet) => packetViolation(packet, await open()))
    violations.push(...(await Promise.all(results)))
  }
  return violations.filter((text) => text !== undefined)
}

it('invalid packets of a member close only their own socket and change no data', async () => {
  expect(PACKETS).not.toEqual([])
  const before = await tableDigests(product.db)
  expect(await fuzz(PACKETS, connected)).toEqual([])
  expect(await tableDigests(product.db)).toEqual(before)
  await expectBystanderServed()
})

it('packets before authentication are answered with nothing but errors', async () => {
  const packets = PACKETS.map((packet) => ({ ...packet, closes: false }))
  const open = () => openRawSocket(url, { headers: { Origin: url } })
  expect(await fuzz(packets, open)).toEqual([])
  await expectBystanderServed()
})

it.each([
  ['unsolicited acknowledgements', '430[]'],
  ['heartbeats', '3'],
  ['joins of other namespaces', '40/admin,'],
  ['empty packets', ''],
])('thousands of %s per second do not delay other members', async (_, packet) => {
  const sockets = await Promise.all([1, 2, 3].map(connected))
  const burst = Buffer.concat(Array.from({ length: 500 }, () => frame(0x81, packet)))
  for (let round = 0; round < 6; round++) for (const socket of sockets) socket.write(burst)
  await expectBystanderServed()
  for (const socket of sockets) socket.destroy()
})

it('thousands of WebSocket pings do not delay other members', async () => {
  const socket = await connected()
  socket.write(Buffer.concat(Array.from({ length: 5_000 }, () => frame(0x89, 'a'.repeat(100)))))
  await expectBystanderServed()
  socket.destroy()
})

it('all of these packets leave the heap almost as small as before', async () => {
  await expectBystanderServed()
  await sleep(500)
  expect(heapUsed() - heapBefore).toBeLessThan(MAX_HEAP_GROWTH)
})
