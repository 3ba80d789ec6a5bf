import { setTimeout as sleep } from 'node:timers/promises'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SocketServer, startSocketServer } from '#gateway/testing/socket-server'
import type { ActivityPage } from '#rules/snapshots'
import { forEachWritable } from './backpressure.ts'
import { memberRoom } from './rooms.ts'

const MEMBER = 7
/** More than the socket buffers of the operating system hold. */
const PUSHES = 300
const PAGE = { items: [], next: 'x'.repeat(100_000), asOf: 0 } satisfies ActivityPage

let sockets: SocketServer

beforeAll(async () => {
  sockets = await startSocketServer()
})
afterAll(() => sockets?.close())

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

const push = () =>
  forEachWritable(sockets.io, memberRoom(MEMBER), (socket) =>
    socket.emit('changed', { activity: PAGE }),
  )
/** Buffered packets of each socket in this process. */
const buffered = () => {
  const all = [...sockets.io.of('/').sockets.values()]
  return all.map(({ conn }) => (conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length)
}

it('a slow socket delays no other socket and gets one refetch after it has drained', async () => {
  const [slow, quick] = [await sockets.connect(MEMBER), await sockets.connect(MEMBER)]
  const [slowReceived, quickReceived] = [countOf(slow), countOf(quick)]
  wireOf(slow).pause()
  let maxBuffered = 0
  let maxDelayMs = 0
  for (let i = 1; i <= PUSHES; i++) {
    const since = performance.now()
    push()
    await expect.poll(() => quickReceived.pushes, { interval: 1 }).toBe(i)
    maxDelayMs = Math.max(maxDelayMs, performance.now() - since)
    maxBuffered = Math.max(maxBuffered, ...buffered())
  }
  expect(quickReceived).toEqual({ pushes: PUSHES, refetches: 0 })
  expect(maxDelayMs).toBeLessThan(1_000)
  expect(maxBuffered).toBeLessThanOrEqual(26)
  wireOf(slow).resume()
  await expect.poll(() => slowReceived.refetches).toBe(1)
  expect(slowReceived.pushes).toBeLessThan(PUSHES)
  const before = slowReceived.pushes
  push()
  await expect.poll(() => slowReceived.pushes).toBe(before + 1)
  await sleep(100)
  expect(slowReceived.refetches).toBe(1)
})
