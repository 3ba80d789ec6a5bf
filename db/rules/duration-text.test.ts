import { expect, it } from 'vitest'
import { countdownText, durationText, remainingText } from './duration-text.ts'

it('remainingText is formatted as 19m 05s and rounds up to whole seconds', () => {
  expect(remainingText(1_145_000)).toBe('19m 05s')
  expect(remainingText(1_144_001)).toBe('19m 05s')
  expect(remainingText(1_200_000)).toBe('20m 00s')
  expect(remainingText(1)).toBe('0m 01s')
  expect(remainingText(0)).toBe('0m 00s')
  expect(remainingText(-5)).toBe('0m 00s')
})

it('remainingText shows hours from one hour on', () => {
  expect(remainingText(3_599_000)).toBe('59m 59s')
  expect(remainingText(3_600_000)).toBe('1h 00m 00s')
  expect(remainingText(3_725_000)).toBe('1h 02m 05s')
})

it('durationText is HH:MM:SS, rounded down to whole seconds', () => {
  expect(durationText(0)).toBe('00:00:00')
  expect(durationText(999)).toBe('00:00:00')
  expect(durationText(3_725_999)).toBe('01:02:05')
  expect(durationText(86_400_000)).toBe('24:00:00')
  expect(durationText(-1)).toBe('00:00:00')
})

it('countdownText is MM:SS, rounded up to whole seconds', () => {
  expect(countdownText(59_001)).toBe('01:00')
  expect(countdownText(600_000)).toBe('10:00')
  expect(countdownText(1)).toBe('00:01')
  expect(countdownText(-1)).toBe('00:00')
})
