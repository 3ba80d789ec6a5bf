import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CLOCK_SET_BACK_MS } from './query-cache.ts'
import { serverNow, setServerClock } from './server-clock.ts'

const NOW = 1_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  setServerClock(NOW + 5_000, NOW)
})
afterEach(() => {
  vi.useRealTimers()
  setServerClock(0, 0)
})

it('the clock follows the newest answer, whatever is read or repeated after it', () => {
  setServerClock(NOW + 5_000, NOW - 2_000)
  setServerClock(NOW + 4_000, NOW - 3_000)
  expect(serverNow()).toBe(NOW + 5_000)
})

it('an answer that was read in the future is as old as now', () => {
  setServerClock(NOW + 6_000, NOW + 3_000)
  expect(serverNow()).toBe(NOW + 6_000)
})

it('a clock of the server that was set back is followed', () => {
  setServerClock(NOW - CLOCK_SET_BACK_MS, NOW)
  expect(serverNow()).toBe(NOW - CLOCK_SET_BACK_MS)
})
