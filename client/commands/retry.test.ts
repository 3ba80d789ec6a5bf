import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#client/data/api.ts'
import { MAX_RETRY_PAUSE_MS, newIdempotencyKey, pauseAfter, sendWithRetry } from './retry.ts'

const lost = new TypeError('Failed to fetch')
const unavailable = (retryAfterMs?: number) => new ApiError(503, 'later', undefined, retryAfterMs)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Attempts until the request was given up: times in ms since the first, and idempotency keys. */
async function attemptsAgainst(error: Error) {
  const at: number[] = []
  const keys = new Set<string>()
  const onRetry = vi.fn()
  const startedAt = Date.now()
  const result = sendWithRetry(async (key) => {
    at.push(Date.now() - startedAt)
    keys.add(key)
    throw error
  }, onRetry)
  const failed = expect(result).rejects.toBe(error)
  await vi.runAllTimersAsync()
  await failed
  return { at, keys, onRetry }
}

describe('a request with an unknown outcome', () => {
  it('a lost request is retried under the same key after 1, 2 and 4 seconds, then given up', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { at, keys, onRetry } = await attemptsAgainst(lost)
    expect(at).toEqual([0, 1_000, 3_000, 7_000])
    expect(keys.size).toBe(1)
    expect(onRetry).toHaveBeenCalledTimes(3)
  })

  it.each([502, 503, 504])('status %i is retried like a lost request', async (status) => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const { at, keys } = await attemptsAgainst(new ApiError(status, ''))
    expect(at).toEqual([0, 1_000, 3_000, 7_000])
    expect(keys.size).toBe(1)
  })

  it('retries wait for Retry-After within the same budget', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    expect((await attemptsAgainst(unavailable(2_000))).at).toEqual([0, 2_000, 4_000, 7_000])
    expect((await attemptsAgainst(unavailable(30_000))).at).toEqual([0, 4_000, 7_000])
  })

  it('retries end after 7 seconds with any jitter', async () => {
    for (const random of [0.2, 0.5, 0.999]) {
      vi.spyOn(Math, 'random').mockReturnValue(random)
      const { at } = await attemptsAgainst(unavailable())
      expect(at).toHaveLength(4)
      // Timers round to whole milliseconds.
      expect(at.at(-1)).toBeCloseTo(7_000, -1)
      expect(at[1]).toBeGreaterThan(1_000)
    }
  })

  it('a retried request resolves to the first answer that arrives', async () => {
    const errors: Error[] = [lost, unavailable()]
    const result = sendWithRetry(async () => {
      const error = errors.shift()
      if (error) throw error
      return 'paid once'
    })
    await vi.runAllTimersAsync()
    await expect(result).resolves.toBe('paid once')
  })
})

it('pauses have up to 40 % jitter, at least Retry-After and at most MAX_RETRY_PAUSE_MS', () => {
  expect(pauseAfter(lost, 1_000, 0)).toBe(1_000)
  expect(pauseAfter(lost, 1_000, 1)).toBe(1_400)
  expect(pauseAfter(unavailable(3_000), 1_000, 0)).toBe(3_000)
  expect(pauseAfter(unavailable(500), 1_000, 0)).toBe(1_000)
  expect(pauseAfter(unavailable(60_000), 1_000, 0)).toBe(MAX_RETRY_PAUSE_MS)
})

it('requests answered with 400, 409, 429 or 500 are not retried', async () => {
  for (const status of [400, 409, 429, 500]) {
    expect((await attemptsAgainst(new ApiError(status, 'no'))).at).toEqual([0])
  }
})

it('idempotency keys are unique without crypto.randomUUID', () => {
  const { getRandomValues } = crypto
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) })
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/)
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey())
})
