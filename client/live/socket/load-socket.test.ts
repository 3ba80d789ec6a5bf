import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { store } from '#client/data/member-data.ts'
import { connectionAtom, GRACE_MS, socketUp } from '#client/live/connection/connection-state.ts'
import { FakeSocket } from '#client/testing/fake-socket.ts'
import { anIdleStatus, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { type LoadSocket, loadSocket } from './load-socket.ts'
import type { ClientSocket } from './socket.ts'

const open = () => new FakeSocket() as unknown as ClientSocket
const state = () => store.get(connectionAtom).state
let server: ReturnType<typeof serve>
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  let asOf = NOW
  server = serve({ 'GET /api/mining/status': () => json(anIdleStatus({ asOf: ++asOf })) })
  startAs()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('the socket connects once its code is loaded', async () => {
  const connect = vi.fn(() => () => {})
  stop = loadSocket(async () => open, connect)
  expect(connect).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(0)
  expect(connect).toHaveBeenCalledTimes(1)
})

it('a member whose socket code cannot be loaded is polled until it can', async () => {
  let reachable = false
  const load: LoadSocket = async () => {
    if (!reachable) throw new TypeError('Failed to fetch dynamically imported module')
    return open
  }
  const connect = vi.fn(() => {
    socketUp()
    return () => {}
  })
  stop = loadSocket(load, connect)
  await vi.advanceTimersByTimeAsync(GRACE_MS + 10_000)
  expect(server.count('GET /api/mining/status')).toBeGreaterThan(0)
  expect(state()).toBe('polling')
  reachable = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(connect).toHaveBeenCalledTimes(1)
  expect(state()).toBe('live')
  const polls = server.count('GET /api/mining/status')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(server.count('GET /api/mining/status')).toBe(polls)
})

it('a member who signs out while the code is loading is not connected', async () => {
  const connect = vi.fn(() => () => {})
  const end = loadSocket(async () => open, connect)
  end()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(connect).not.toHaveBeenCalled()
})
