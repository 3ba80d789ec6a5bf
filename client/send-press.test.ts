import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from './api.ts'
import { press, unanswered } from './presses.ts'
import { sendPress } from './send-press.ts'

beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
})
afterEach(() => vi.useRealTimers())

/** Presses once and lets all tries pass. */
async function pressAgainst(error?: Error) {
  const pressed = press(7, 'claim', 5)
  const send = vi.fn(async (_: string) => {
    if (error) throw error
  })
  const settled = sendPress(7, pressed, send, () => {}).catch(() => {})
  await vi.runAllTimersAsync()
  await settled
  return { pressed, send }
}

it('is sent under the key of its press, and forgotten once it is answered', async () => {
  const { pressed, send } = await pressAgainst()
  expect(send.mock.calls).toEqual([[pressed.key]])
  expect(unanswered(7)).toEqual([])
})

it('is forgotten where the answer was no', async () => {
  await pressAgainst(new ApiError(500, 'Something went wrong'))
  expect(unanswered(7)).toEqual([])
})

it.each([new TypeError('Failed to fetch'), new ApiError(503, 'later')])(
  'stays remembered where it may have worked: %s',
  async (error) => {
    const { pressed, send } = await pressAgainst(error)
    expect(unanswered(7)).toEqual([pressed])
    expect(new Set(send.mock.calls.flat())).toEqual(new Set([pressed.key]))
  },
)
