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

/** Presses once and lets all tries pass. */
async function pressAgainst(error?: Error) {
  const pressed = rememberCommand(7, 'claim', 5)
  const send = vi.fn(async (_: string) => {
    if (error) throw error
  })
  const settled = sendCommand(7, pressed, send, () => {}).catch(() => {})
  await vi.runAllTimersAsync()
  await settled
  return { pressed, send }
}

it('is sent under the key of its press, and forgotten once it is answered', async () => {
  const { pressed, send } = await pressAgainst()
  expect(send.mock.calls).toEqual([[pressed.key]])
  expect(pendingCommands(7)).toEqual([])
})

it('is forgotten where the answer was no', async () => {
  await pressAgainst(new ApiError(500, 'Something went wrong'))
  expect(pendingCommands(7)).toEqual([])
})

it.each([new TypeError('Failed to fetch'), new ApiError(503, 'later')])(
  'stays remembered where it may have worked: %s',
  async (error) => {
    const { pressed, send } = await pressAgainst(error)
    expect(pendingCommands(7)).toEqual([pressed])
    expect(new Set(send.mock.calls.flat())).toEqual(new Set([pressed.key]))
  },
)

it('is not sent again in the name of somebody else', async () => {
  const send = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  const settled = sendCommand(7, rememberCommand(7, 'start', 5), send, () => {}).catch(() => {})
  await vi.advanceTimersByTimeAsync(10)
  setUser(aUser({ id: 8 }))
  await vi.runAllTimersAsync()
  await settled
  expect(send).toHaveBeenCalledTimes(1)
})
