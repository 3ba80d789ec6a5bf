import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from './api.ts'
import { newIdempotencyKey, sendOnce } from './idempotent.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('repeats a lost request under the same key after 1, 2 and 4 seconds, then gives up', async () => {
  const at: number[] = []
  const keys = new Set<string>()
  const onRetry = vi.fn()
  const startedAt = Date.now()
  const result = sendOnce(async (key) => {
    at.push(Date.now() - startedAt)
    keys.add(key)
    throw new TypeError('Failed to fetch')
  }, onRetry)
  const failed = expect(result).rejects.toThrow('Failed to fetch')
  await vi.runAllTimersAsync()
  await failed
  expect(at).toEqual([0, 1_000, 3_000, 7_000])
  expect(keys.size).toBe(1)
  expect(onRetry).toHaveBeenCalledTimes(3)
})

it('resolves to the answer that came at last', async () => {
  let tries = 0
  const result = sendOnce(async () => {
    tries += 1
    if (tries < 3) throw new TypeError('Failed to fetch')
    return 'paid once'
  })
  await vi.runAllTimersAsync()
  await expect(result).resolves.toBe('paid once')
})

it('takes a refusal for an answer', async () => {
  const send = vi.fn(() => Promise.reject(new ApiError(409, 'no', { message: 'no' })))
  await expect(sendOnce(send)).rejects.toThrow('409: no')
  expect(send).toHaveBeenCalledTimes(1)
})

it('makes keys where the page came over plain HTTP', () => {
  const { getRandomValues } = crypto
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) })
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/)
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey())
})
