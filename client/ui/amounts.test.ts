import { expect, it } from 'vitest'
import { between } from './amounts.tsx'

it('a count-up starts and ends exactly at its amounts', () => {
  expect(between('1.00000001', '1.03333334', 0)).toBe('1.00000001')
  expect(between('1.00000001', '1.03333334', 1)).toBe('1.03333334')
  expect(between('1.00000001', '1.03333334', 7)).toBe('1.03333334')
})

it('a count-up is eased between its amounts', () => {
  expect(between('0', '1', 0.5)).toBe('0.87500000')
})
