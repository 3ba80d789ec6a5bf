import fc from 'fast-check'
import { expect, it } from 'vitest'
import { activities } from '#client/testing/fixtures.ts'
import { joinRows } from './activity-list.ts'

/** Rows are numbered newest first, so the newest page after `n` more credits starts at `-n`. */
const rows = (from: number, to: number, next: string | null = `after ${to}`) => ({
  items: activities(from, to),
  next,
})

const ids = (from: number, to: number) => activities(from, to).map(({ id }) => id)

it('is the newest page where no other was read', () => {
  expect(joinRows(rows(0, 50), null)).toEqual(rows(0, 50))
})

it('puts new rows before the known ones, each once, and reads on where those end', () => {
  const joined = joinRows(rows(-3, 47), rows(0, 150))
  expect(joined.items.map(({ id }) => id)).toEqual(ids(-3, 150))
  expect(joined.next).toBe('after 150')
})

it('starts anew where more came than a page holds', () => {
  expect(joinRows(rows(-120, -70), rows(0, 150))).toEqual(rows(-120, -70))
})

it('never shows a gap or a row twice', () => {
  fc.assert(
    fc.property(fc.nat(120), fc.integer({ min: 1, max: 200 }), (more, known) => {
      const joined = joinRows(rows(-more, 50 - more), rows(0, known))
      const numbers = joined.items.map(({ id }) => Number(id.split(':')[2]))
      expect(numbers).toEqual(numbers.map((_, index) => index - more))
    }),
  )
})
