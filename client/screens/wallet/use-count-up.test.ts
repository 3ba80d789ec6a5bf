import { expect, it } from 'vitest'
import { between } from './use-count-up.ts'

it('starts and ends exactly at its amounts', () => {
  expect(between('1.00000001', '1.03333334', 0)).toBe('1.00000001')
  expect(between('1.00000001', '1.03333334', 1)).toBe('1.03333334')
  expect(between('1.00000001', '1.03333334', 7)).toBe('1.03333334')
})

it('lies between them on the way', () => {
  expect(between('0', '1', 0.5)).toBe('0.87500000')
})
