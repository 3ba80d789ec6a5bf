import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { NOW } from '#client/testing/fixtures.ts'
import { productNow, setProductClock, useProductNow } from './product-clock.ts'

const at = (ms: number, speed = 1) => ({ serverNow: new Date(ms).toISOString(), speed })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('product time counts on from the server at its speed', () => {
  setProductClock(at(NOW, 60))
  vi.advanceTimersByTime(1_000)
  expect(productNow()).toBe(NOW + 60_000)
})

it('a snapshot with more latency does not turn product time back', () => {
  setProductClock(at(NOW + 86_400_000))
  vi.advanceTimersByTime(10_000)
  setProductClock(at(NOW + 86_400_000 + 9_300))
  expect(productNow()).toBe(NOW + 86_400_000 + 10_000)
})

it('a push that a slow network held back for 15 s does not turn product time back', () => {
  setProductClock(at(NOW + 86_400_000))
  vi.advanceTimersByTime(20_000)
  setProductClock(at(NOW + 86_400_000 + 5_000))
  expect(productNow()).toBe(NOW + 86_400_000 + 20_000)
})

it('product time that leads is turned back once its statuses have lagged for 20 s', () => {
  const start = NOW + 10 * 86_400_000
  setProductClock(at(start + 5_000))
  const receiveAfter = (ms: number, serverNow: number) => {
    vi.advanceTimersByTime(ms)
    setProductClock(at(serverNow))
    return productNow()
  }
  expect(receiveAfter(10_000, start + 10_000)).toBe(start + 15_000)
  expect(receiveAfter(19_000, start + 29_000)).toBe(start + 34_000)
  expect(receiveAfter(2_000, start + 31_000)).toBe(start + 31_000)
})

it('product time moves ahead immediately, and back only beyond the tolerance', () => {
  setProductClock(at(NOW + 2 * 86_400_000))
  setProductClock(at(NOW + 2 * 86_400_000 + 400))
  expect(productNow()).toBe(NOW + 2 * 86_400_000 + 400)
  setProductClock(at(NOW))
  expect(productNow()).toBe(NOW)
})

it('product time counts on while the machine sleeps', () => {
  setProductClock(at(NOW + 3 * 86_400_000, 2))
  // Moves the wall clock only.
  vi.setSystemTime(Date.now() + 3_600_000)
  expect(productNow()).toBe(NOW + 3 * 86_400_000 + 2 * 3_600_000)
  vi.setSystemTime(Date.now() - 7_200_000)
  expect(productNow()).toBe(NOW + 3 * 86_400_000)
})

it('useProductNow ticks on the seconds of the session while the page is visible', () => {
  setProductClock(at(NOW))
  const phase = NOW - 400
  const { result } = renderHook(() => useProductNow(1_000, phase))
  const ticks: number[] = []
  for (let step = 0; step < 150; step += 1) {
    act(() => void vi.advanceTimersByTime(20))
    const now = result.current ?? 0
    if (ticks.at(-1) !== now) ticks.push(now)
  }
  expect(ticks.slice(1).map((now) => (now - phase) % 1_000 < 50)).toEqual([true, true, true])
})

it('useProductNow stands still on a hidden page and catches up when it becomes visible', () => {
  setProductClock(at(NOW))
  const { result } = renderHook(() => useProductNow(1_000))
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  act(() => void vi.advanceTimersByTime(5_000))
  const before = result.current
  act(() => void vi.advanceTimersByTime(60_000))
  expect(result.current).toBe(before)
  hidden.mockReturnValue(false)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  expect(result.current).toBe(NOW + 65_000)
})
