import { act, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RandomLine, randomHex } from './random-line.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const text = () => document.querySelector('.random-line')?.textContent

it('the random line shows 48 hexadecimal digits and changes every 3 seconds', () => {
  render(<RandomLine active />)
  const first = text()
  expect(first).toMatch(/^[0-9A-F]{48}$/)
  act(() => void vi.advanceTimersByTime(2_900))
  expect(text()).toBe(first)
  act(() => void vi.advanceTimersByTime(200))
  expect(text()).toMatch(/^[0-9A-F]{48}$/)
  expect(text()).not.toBe(first)
})

it('randomHex returns 64 digits by default', () => {
  expect(randomHex()).toMatch(/^[0-9A-F]{64}$/)
  expect(randomHex(8)).toHaveLength(8)
})
