import { expect, it } from 'vitest'
import { CLOCK_SET_BACK_MS, newest } from './keep-newest.ts'

const NOW = 1_800_000_000_000

it('the newer of two snapshots is kept in any order of arrival', () => {
  expect(newest({ asOf: NOW, n: 1 }, { asOf: NOW + 1, n: 2 })).toEqual({ asOf: NOW + 1, n: 2 })
  expect(newest({ asOf: NOW + 1, n: 2 }, { asOf: NOW, n: 1 })).toEqual({ asOf: NOW + 1, n: 2 })
})

it('snapshots are compared to the microsecond', () => {
  expect(newest({ asOf: NOW + 0.25, n: 2 }, { asOf: NOW + 0.125, n: 1 })).toMatchObject({ n: 2 })
})

it('a snapshot delivered twice keeps its identity', () => {
  const current = { asOf: NOW, n: 1 }
  expect(newest(current, { asOf: NOW, n: 1 })).toBe(current)
})

it('a snapshot older by more than a minute is accepted: the clock was set back', () => {
  const current = { asOf: NOW }
  expect(newest(current, { asOf: NOW - CLOCK_SET_BACK_MS })).toBe(current)
  expect(newest(current, { asOf: NOW - CLOCK_SET_BACK_MS - 1 })).not.toBe(current)
})

it('a cached value without a time is replaced', () => {
  expect(newest({ id: 7, fullName: null }, { id: 7, fullName: 'Mai' })).toEqual({
    id: 7,
    fullName: 'Mai',
  })
  expect(newest({ asOf: NOW }, null)).toBe(null)
})
