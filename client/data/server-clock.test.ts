import { expect, it, vi } from 'vitest'
import { serverNow, setServerClock } from './server-clock.ts'

it('the clock follows the newest answer, whatever is read or repeated after it', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 10_000 })
  setServerClock(15_000, 10_000)
  setServerClock(15_000, 12_000)
  setServerClock(14_000, 13_000)
  expect(serverNow()).toBe(15_000)
  vi.useRealTimers()
})
