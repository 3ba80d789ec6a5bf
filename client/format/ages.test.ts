import { expect, it } from 'vitest'
import { agoText, shortAgeText } from './ages.ts'

it('shortAgeText counts whole seconds, then whole minutes', () => {
  expect(shortAgeText(0)).toBe('0s')
  expect(shortAgeText(59_999)).toBe('59s')
  expect(shortAgeText(60_000)).toBe('1m')
  expect(shortAgeText(150_000)).toBe('2m')
})

it('shortAgeText is never negative', () => {
  expect(shortAgeText(-5)).toBe('0s')
})

it('agoText counts whole seconds, minutes and hours', () => {
  expect(agoText(45_999)).toBe('45 s ago')
  expect(agoText(60_000)).toBe('1 min ago')
  expect(agoText(3_599_999)).toBe('59 min ago')
  expect(agoText(3 * 3_600_000)).toBe('3 h ago')
})
