import { expect, it } from 'vitest'
import { CLOCK_SET_BACK_MS, newest } from './keep-newest.ts'

const NOW = 1_800_000_000_000

it('keeps the newer of two snapshots, whichever came first', () => {
  expect(newest({ asOf: NOW, n: 1 }, { asOf: NOW + 1, n: 2 })).toEqual({ asOf: NOW + 1, n: 2 })
  expect(newest({ asOf: NOW + 1, n: 2 }, { asOf: NOW, n: 1 })).toEqual({ asOf: NOW + 1, n: 2 })
})

it('tells microseconds apart', () => {
  expect(newest({ asOf: NOW + 0.25, n: 2 }, { asOf: NOW + 0.125, n: 1 })).toMatchObject({ n: 2 })
})

it('is the very same value for the same snapshot delivered twice', () => {
  const known = { asOf: NOW, n: 1 }
  expect(newest(known, { asOf: NOW, n: 1 })).toBe(known)
})

it('accepts an older one once it is so old that the clock must have been set back', () => {
  const known = { asOf: NOW }
  expect(newest(known, { asOf: NOW - CLOCK_SET_BACK_MS })).toBe(known)
  expect(newest(known, { asOf: NOW - CLOCK_SET_BACK_MS - 1 })).not.toBe(known)
})

it('replaces what carries no time', () => {
  expect(newest({ id: 7, fullName: null }, { id: 7, fullName: 'Mai' })).toEqual({
    id: 7,
    fullName: 'Mai',
  })
  expect(newest({ asOf: NOW }, null)).toBe(null)
})
