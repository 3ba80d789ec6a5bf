import { setTimeout as sleep } from 'node:timers/promises'
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenSockets, openSockets } from '#gateway/testing/open-sockets'
import type { ActivityPage } from '#rules/snapshots'
import { forEachWritable } from './backpressure.ts'
import { memberRoom } from './rooms.ts'

const MEMBER = 7
/** Enough that the buffers of the operating system are full long before the last of them. */
const PUSHES = 300
const PAGE = { items: [], next: 'x'.repeat(100_000), asOf: 0 } satisfies ActivityPage

let sockets: OpenSockets

beforeAll(async () => {
  sockets = await openSockets()
})
afterAll(() => sockets?.close())

type Wire = { pause(): void; resume(): void }
/** The connection under a socket, which a client that cannot keep up stops reading from. */
const wireOf = (socket: Socket) =>
  (socket.io.engine.transport as unknown as { ws: { _socket: Wire } }).ws._socket

function countOf(socket: Socket) {
  const heard = { pushes: 0, refetches: 0 }
  socket.on('activity', () => {
    heard.pushes += 1
  })
  socket.on('refetch', () => {
    heard.refetches += 1
  })
  return heard
}

const push = () =>
  forEachWritable(sockets.io, memberRoom(MEMBER), (socket) => socket.emit('activity', PAGE))
/** The packets that wait in this process. */
const waiting = () => {
  const all = [...sockets.io.of('/').sockets.values()]
  return all.map(({ conn }) => (conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length)
}

it('a slow socket holds no other up, and is asked once to fetch when it has caught up', async () => {
  const [slow, quick] = [await sockets.connect(MEMBER), await sockets.connect(MEMBER)]
  const [slowHeard, quickHeard] = [countOf(slow), countOf(quick)]
  wireOf(slow).pause()
  let most = 0
  let longest = 0
  for (let i = 1; i <= PUSHES; i++) {
    const since = performance.now()
    push()
    await expect.poll(() => quickHeard.pushes, { interval: 1 }).toBe(i)
    longest = Math.max(longest, performance.now() - since)
    most = Math.max(most, ...waiting())
  }
  expect(quickHeard).toEqual({ pushes: PUSHES, refetches: 0 })
  expect(longest).toBeLessThan(1_000)
  expect(most).toBeLessThanOrEqual(26)
  wireOf(slow).resume()
  await expect.poll(() => slowHeard.refetches).toBe(1)
  expect(slowHeard.pushes).toBeLessThan(PUSHES)
  const before = slowHeard.pushes
  push()
  await expect.poll(() => slowHeard.pushes).toBe(before + 1)
  await sleep(100)
  expect(slowHeard.refetches).toBe(1)
})
