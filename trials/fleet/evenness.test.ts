import { expect, it } from 'vitest'
import { largestShare, longestPause, totals } from './evenness.ts'

it('totals add up what each process did in all seconds', () => {
  const seconds = [
    [5, 0],
    [1, undefined],
  ]
  expect(totals(seconds, 3)).toEqual([6, 0, 0])
})

it('a pause lasts until any process does something', () => {
  expect(longestPause([[1], [0], [0], [2], [0]])).toBe(2)
  expect(
    longestPause([
      [0, 1],
      [undefined, 2],
    ]),
  ).toBe(0)
})

it('the largest share is that of the busiest process, and none if nothing was done', () => {
  expect(largestShare([1, 1, 2])).toBe(0.5)
  expect(largestShare([0, 0])).toBe(0)
})
