import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openCommandQueue, type QueuePort } from './command-queue.ts'
import type { StoredCommand } from './command-state.ts'
import type { CommandDefinition } from './command-type.ts'
import { commandStorage } from './stored-command.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  localStorage.clear()
})
afterEach(() => void vi.useRealTimers())

const port = (more: Partial<QueuePort> = {}): QueuePort => ({
  storage: commandStorage(7),
  definitionOf: async () => undefined,
  cancel: async () => ({ cancelled: true, answer: null }),
  takesOver: true,
  withTabLock: (_, run) => run(),
  isOffline: () => false,
  onReachable: () => () => {},
  onChange() {},
  onSignedOut() {},
  reportDropped() {},
  ...more,
})
const stop = (more: Partial<CommandDefinition<null>> = {}): CommandDefinition<null> => ({
  name: 'stop',
  mutexKey: () => 'mining',
  send: async () => null,
  onDone() {},
  onRefused() {},
  ...more,
})

/** A command of an earlier page. */
const stored: StoredCommand = {
  key: 'k',
  name: 'stop',
  mutexKey: 'mining',
  input: null,
  basis: 'active',
  state: 'waiting',
  issuedAt: 0,
  late: true,
  reason: null,
  rejection: null,
}

it('a command whose member signs out while its basis is read is not sent', async () => {
  const send = vi.fn(async () => null)
  let answer: (basis: string) => void = () => {}
  const definition = stop({
    send,
    basis: () => 'active',
    readBasis: () => new Promise((resolve) => (answer = resolve)),
  })
  commandStorage(7).put(stored)
  const queue = openCommandQueue(port({ definitionOf: async () => definition }))
  await vi.advanceTimersByTimeAsync(0)
  queue.stop()
  answer('active')
  await vi.advanceTimersByTimeAsync(0)
  expect(send).not.toHaveBeenCalled()
})

it('a command whose code could not be loaded is sent once the server can be reached', async () => {
  const send = vi.fn(async () => null)
  const definition = stop({ send })
  commandStorage(7).put(stored)
  const definitionOf = vi.fn(async () => definition)
  definitionOf.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  let reach = () => {}
  const onReachable = (listener: () => void) => {
    reach = listener
    return () => {}
  }
  vi.spyOn(console, 'warn').mockImplementationOnce(() => {})
  openCommandQueue(port({ definitionOf, onReachable }))
  await vi.advanceTimersByTimeAsync(0)
  expect(send).not.toHaveBeenCalled()
  reach()
  await vi.advanceTimersByTimeAsync(0)
  expect(send).toHaveBeenCalledTimes(1)
})

it('a queue that is stopped during a request releases the lock with the end of the request', async () => {
  let loseRequest = () => {}
  const definition = stop({
    send: () =>
      new Promise((_, reject) => {
        loseRequest = () => reject(new TypeError('Failed to fetch'))
      }),
  })
  const held = new Set<string>()
  const withTabLock: QueuePort['withTabLock'] = async (name, run) => {
    held.add(name)
    await run()
    held.delete(name)
  }
  const queue = openCommandQueue(port({ withTabLock }))
  void queue.issue(definition, null)
  await vi.advanceTimersByTimeAsync(0)
  queue.stop()
  expect(held.size).toBe(1)
  loseRequest()
  await vi.advanceTimersByTimeAsync(0)
  expect(held.size).toBe(0)
})
