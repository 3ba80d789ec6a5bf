import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, errorOf } from '#client/data/api.ts'
import { attemptCommand, eventOf, newIdempotencyKey, retryPauses } from './attempt.ts'
import type { StoredCommand } from './command-state.ts'
import type { CommandDefinition } from './command-type.ts'

const lost = new TypeError('Failed to fetch')
const unavailable = (retryAfterMs?: number) => new ApiError(503, 'later', undefined, retryAfterMs)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** The pauses of a command that gets this error each time, until its budget is used up. */
function pausesAfter(error: unknown): number[] {
  const retries = retryPauses()
  const pauses: number[] = []
  while (!retries.isUsedUp()) pauses.push(retries.next(error))
  return pauses
}

describe('the retry budget', () => {
  it('a lost request is retried after 1, 2 and 4 seconds', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    expect(pausesAfter(lost)).toEqual([1_000, 2_000, 4_000])
  })

  it('retries wait for Retry-After within the same budget', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    expect(pausesAfter(unavailable(2_000))).toEqual([2_000, 2_000, 3_000])
    expect(pausesAfter(unavailable(30_000))).toEqual([4_000, 3_000])
  })

  it('the budget is 7 seconds with any jitter', () => {
    for (const random of [0.2, 0.5, 0.999]) {
      vi.spyOn(Math, 'random').mockReturnValue(random)
      const pauses = pausesAfter(unavailable())
      expect(pauses.reduce((sum, ms) => sum + ms)).toBeCloseTo(7_000, 3)
    }
  })

  it('pauses grow to 10 seconds once the budget is used up', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const retries = retryPauses()
    retries.exhaust()
    const pauses = Array.from({ length: 6 }, () => retries.next(lost))
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
  })
})

it('pauses have up to 40 % jitter, at least Retry-After and at most 4 seconds', () => {
  const first = (error: unknown) => retryPauses().next(error)
  vi.spyOn(Math, 'random').mockReturnValueOnce(1).mockReturnValue(0)
  expect(first(lost)).toBe(1_400)
  expect(first(lost)).toBe(1_000)
  expect(first(unavailable(3_000))).toBe(3_000)
  expect(first(unavailable(500))).toBe(1_000)
  expect(first(unavailable(60_000))).toBe(4_000)
})

describe('what a failed request means', () => {
  it.each([408, 502, 503, 504, 520, 524])('status %i is no outcome', (status) => {
    expect(eventOf(new ApiError(status, ''), { afterLost: false })).toBe('lost')
  })

  it.each([400, 409, 429, 500])('status %i rejects the first request', (status) => {
    expect(eventOf(new ApiError(status, ''), { afterLost: false })).toBe('rejected')
  })

  it('a rate limit after a lost request is no outcome', () => {
    expect(eventOf(new ApiError(429, ''), { afterLost: true })).toBe('lost')
  })

  it('the pause between two claims is an outcome, because it is checked after the key', () => {
    const answer = { message: 'Wait', code: 'claim_cooldown' }
    expect(eventOf(new ApiError(429, '', answer), { afterLost: true })).toBe('rejected')
  })

  it('401 ends the sign-in', () => {
    expect(eventOf(new ApiError(401, ''), { afterLost: true })).toBe('signed out')
  })
})

describe('what the answer to a cancellation means', () => {
  const command = { key: 'k', name: 'claim', state: 'refusing' } as StoredCommand
  const definition = {} as CommandDefinition
  const cancelled = (status: number, text: string) =>
    attemptCommand({
      ...{ command, definition, mayBeOutdated: false, isCurrent: () => true },
      cancel: () => Promise.reject(errorOf({ status, statusText: '' }, text)),
    })

  it.each([403, 404, 429, 500, 520, 503])('a page with status %i is no outcome', async (status) => {
    expect((await cancelled(status, '<h1>Sorry</h1>')).event).toBe('lost')
  })

  it.each([
    [404, '{"message":"Not Found"}'],
    [404, '{"message":"Not found","code":"not_found"}'],
    [403, '{"message":"Cross-site request","code":"cross_site"}'],
    [500, '{"message":"Internal server error","code":"internal"}'],
  ])('a rejection with status %i and %s is no outcome', async (status, text) => {
    expect((await cancelled(status, text)).event).toBe('lost')
  })
})

it('idempotency keys are unique without crypto.randomUUID', () => {
  const { getRandomValues } = crypto
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) })
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/)
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey())
})
