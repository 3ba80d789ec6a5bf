import { setTimeout as sleep } from 'node:timers/promises'
import type { Socket } from 'socket.io-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Wallet } from '#rules/snapshots'
import { type SocketServer, startSocketServer } from '#scripts/testing/gateway/wire/socket-server'
import { bufferedWriter } from './sockets.ts'

const MEMBER = 7
/** More than the socket buffers of the operating system hold. */
const PUSHES = 300
const SLOW_READER_MS = 500
const LARGE = { tesp: [], usdtBalance: '0'.repeat(100_000), asOf: 0 } satisfies Wallet

let sockets: SocketServer

beforeEach(async () => {
  sockets = await startSocketServer()
})
afterEach(() => sockets?.close())

type Wire = { pause(): void; resume(): void }
/** The TCP connection of a socket; a slow client is one that stops reading from it. */
const wireOf = (socket: Socket) =>
  (socket.io.engine.transport as unknown as { ws: { _socket: Wire } }).ws._socket

function countOf(socket: Socket) {
  const received = { pushes: 0, refetches: 0 }
  socket.on('changed', () => {
    received.pushes += 1
  })
  socket.on('refetch', () => {
    received.refetches += 1
  })
  return received
}

const push = (forEachSocket: ReturnType<typeof bufferedWriter>) =>
  forEachSocket(MEMBER, (socket) => socket.emit('changed', { wallet: LARGE }))
/** Buffered packets of each socket in this process. */
const buffered = () => {
  const all = [...sockets.io.of('/').sockets.values()]
  return all.map(({ conn }) => (conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length)
}

it('a slow socket delays no other socket and gets one refetch after it has drained', async () => {
  const forEachSocket = bufferedWriter(sockets.io, 30_000)
  const [slow, quick] = [await sockets.connect(MEMBER), await sockets.connect(MEMBER)]
  const [slowReceived, quickReceived] = [countOf(slow), countOf(quick)]
  wireOf(slow).pause()
  let maxBuffered = 0
  for (let i = 1; i <= PUSHES; i++) {
    push(forEachSocket)
    await expect.poll(() => quickReceived.pushes, { interval: 1 }).toBe(i)
    maxBuffered = Math.max(maxBuffered, ...buffered())
  }
  expect(quickReceived).toEqual({ pushes: PUSHES, refetches: 0 })
  expect(maxBuffered).toBeLessThanOrEqual(26)
  wireOf(slow).resume()
  await expect.poll(() => slowReceived.refetches).toBe(1)
  expect(slowReceived.pushes).toBeLessThan(PUSHES)
  const before = slowReceived.pushes
  push(forEachSocket)
  await expect.poll(() => slowReceived.pushes).toBe(before + 1)
  await sleep(100)
  expect(slowReceived.refetches).toBe(1)
})

it('a client that does not read is disconnected after the deadline and no other is', async () => {
  const forEachSocket = bufferedWriter(sockets.io, SLOW_READER_MS)
  const [slow, quick] = [await sockets.connect(MEMBER), await sockets.connect(MEMBER)]
  slow.io.reconnection(false)
  wireOf(slow).pause()
  for (let i = 0; i < PUSHES; i++) {
    push(forEachSocket)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(() => sockets.io.of('/').sockets.size).toBe(1)
  expect(quick.connected).toBe(true)
})

it('a client that reads again before the deadline stays connected', async () => {
  // Longer than 300 pushes take on a busy machine, while which the client does not read.
  const deadlineMs = 3 * SLOW_READER_MS
  const forEachSocket = bufferedWriter(sockets.io, deadlineMs)
  const slow = await sockets.connect(MEMBER)
  const received = countOf(slow)
  for (let round = 0; round < 3; round++) {
    wireOf(slow).pause()
    for (let i = 0; i < PUSHES; i++) {
      push(forEachSocket)
      await new Promise((resolve) => setImmediate(resolve))
    }
    wireOf(slow).resume()
    await expect.poll(() => received.refetches).toBe(round + 1)
  }
  await sleep(deadlineMs + 100)
  expect(slow.connected).toBe(true)
})
