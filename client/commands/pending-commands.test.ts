import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answered, EXPECTED_MS, press, unanswered } from './pending-commands.ts'

beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('is remembered from before it is sent until it is answered', () => {
  const pressed = press(7, 'claim', 5)
  expect(unanswered(7)).toEqual([pressed])
  answered(7, pressed)
  expect(unanswered(7)).toEqual([])
  expect(sessionStorage).toHaveLength(0)
})

it('keeps its key while the member knows nothing newer', () => {
  const { key } = press(7, 'start', 5)
  expect(press(7, 'start', 5).key).toBe(key)
  expect(press(7, 'stop', 5).key).not.toBe(key)
  expect(press(7, 'start', 6).key).not.toBe(key)
  expect(
    unanswered(7)
      .map(({ action }) => action)
      .sort(),
  ).toEqual(['start', 'stop'])
})

it('is forgotten after two minutes, or where the clock was set back', () => {
  const { key } = press(7, 'claim', 5)
  vi.advanceTimersByTime(EXPECTED_MS - 1)
  expect(unanswered(7)).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(unanswered(7)).toEqual([])
  expect(press(7, 'claim', 5).key).not.toBe(key)
  vi.setSystemTime(Date.now() - 60_000)
  expect(unanswered(7)).toEqual([])
})

it("is never another member's", () => {
  press(7, 'claim', 5)
  expect(unanswered(8)).toEqual([])
})

it('works where the storage is broken or forbidden', () => {
  sessionStorage.setItem('presses:7', '{"no":"list"}')
  expect(unanswered(7)).toEqual([])
  vi.stubGlobal('sessionStorage', undefined)
  expect(press(7, 'claim', 5).key).toMatch(/.{32,}/)
  expect(unanswered(7)).toEqual([])
})
