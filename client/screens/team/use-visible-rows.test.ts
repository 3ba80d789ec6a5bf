import { expect, it } from 'vitest'
import { firstRow } from './use-visible-rows.ts'

it('draws from the top while nothing has passed', () => {
  expect(firstRow(0, 5_000)).toBe(0)
  expect(firstRow(39, 5_000)).toBe(0)
})

it('keeps a step of rows above those in sight', () => {
  expect(firstRow(40, 5_000)).toBe(20)
  expect(firstRow(2_517, 5_000)).toBe(2_480)
})

it('fills the box at the end of the list', () => {
  expect(firstRow(5_000, 5_000)).toBe(4_940)
  expect(firstRow(900, 12)).toBe(0)
})
