import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '#client/data/api.ts'
import { setUser } from '#client/data/member-data.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { pendingCommands, rememberCommand } from './pending-commands.ts'
import { sendCommand } from './send-command.ts'

beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
  startAs()
})
afterEach(() => vi.useRealTimers())

/** Sends one command until it is answered or given up. */
async function sendAgainst(error?: Error) {
  const command = rememberCommand(7, 'claim', 5)
  const send = vi.fn(async (_: string) => {
    if (error) throw error
  })
  const settled = sendCommand(7, command, send, () => {}).catch(() => {})
  await vi.runAllTimersAsync()
  await settled
  return { command, send }
}

it('a command is sent under its idempotency key and forgotten after the answer', async () => {
  const { command, send } = await sendAgainst()
  expect(send.mock.calls).toEqual([[command.key]])
  expect(pendingCommands(7)).toEqual([])
})

it('a rejected command is forgotten', async () => {
  await sendAgainst(new ApiError(500, 'Something went wrong'))
  expect(pendingCommands(7)).toEqual([])
})

it.each([new TypeError('Failed to fetch'), new ApiError(503, 'later')])(
  'a command with an unknown outcome stays pending: %s',
  async (error) => {
    const { command, send } = await sendAgainst(error)
    expect(pendingCommands(7)).toEqual([command])
    expect(new Set(send.mock.calls.flat())).toEqual(new Set([command.key]))
  },
)

it('a command is not retried after another member has signed in', async () => {
  const send = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  const settled = sendCommand(7, rememberCommand(7, 'start', 5), send, () => {}).catch(() => {})
  await vi.advanceTimersByTimeAsync(10)
  setUser(aUser({ id: 8 }))
  await vi.runAllTimersAsync()
  await settled
  expect(send).toHaveBeenCalledTimes(1)
})
