import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openCommandQueue, type QueuePort } from './command-queue.ts'
import type { CommandDefinition } from './command-type.ts'
import { commandStorage } from './stored-command.ts'

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => void vi.useRealTimers())

it('a queue that is stopped during a request releases the lock with the end of the request', async () => {
  let loseRequest = () => {}
  const definition: CommandDefinition<null> = {
    name: 'stop',
    mutexKey: () => 'mining',
    send: () =>
      new Promise((_, reject) => {
        loseRequest = () => reject(new TypeError('Failed to fetch'))
      }),
    onDone() {},
    onRefused() {},
  }
  const held = new Set<string>()
  const port: QueuePort = {
    storage: commandStorage(7),
    definitionOf: async () => undefined,
    cancel: async () => ({ cancelled: true, answer: null }),
    takesOver: true,
    async withTabLock(name, run) {
      held.add(name)
      await run()
      held.delete(name)
    },
    isOffline: () => false,
    onReachable: () => () => {},
    onChange() {},
    onSignedOut() {},
    reportDropped() {},
  }
  const queue = openCommandQueue(port)
  void queue.issue(definition, null)
  await vi.advanceTimersByTimeAsync(0)
  queue.stop()
  expect(held.size).toBe(1)
  loseRequest()
  await vi.advanceTimersByTimeAsync(0)
  expect(held.size).toBe(0)
})
