import fc from 'fast-check'
import { expect, it } from 'vitest'
import { activities } from '#client/testing/fixtures.ts'
import { joinRows } from './older-pages.ts'

/** Rows are numbered newest first: after `n` more credits the newest page starts at `-n`. */
const rows = (from: number, to: number, next: string | null = `after ${to}`) => ({
  items: activities(from, to),
  next,
})

const ids = (from: number, to: number) => activities(from, to).map(({ id }) => id)

it('the list is the newest page while no older page was read', () => {
  expect(joinRows(rows(0, 50), null)).toEqual(rows(0, 50))
})

it('new rows precede the older ones without duplicates and keep the cursor', () => {
  const joined = joinRows(rows(-3, 47), rows(0, 150))
  expect(joined.items.map(({ id }) => id)).toEqual(ids(-3, 150))
  expect(joined.next).toBe('after 150')
})

it('older rows are dropped when more rows arrived than a page holds', () => {
  expect(joinRows(rows(-120, -70), rows(0, 150))).toEqual(rows(-120, -70))
})

it('a row that several rows became replaces them', () => {
  const top = [...activities(0, 10), ...activities(500, 501)]
  const joined = joinRows({ items: [...top, ...activities(20, 30)], next: 'more' }, rows(0, 50))
  expect(joined).toEqual({ items: [...top, ...activities(20, 50)], next: 'after 50' })
})

it('older rows are dropped when the last row of the newest page is a new one', () => {
  const newest = { items: [...activities(0, 10), ...activities(500, 501)], next: 'more' }
  expect(joinRows(newest, rows(0, 50))).toEqual(newest)
})

it('older rows are dropped when the newest page is empty', () => {
  expect(joinRows(rows(0, 0), rows(0, 150))).toEqual(rows(0, 0))
})

it('joined rows contain no gap and no duplicate', () => {
  fc.assert(
    fc.property(fc.nat(120), fc.integer({ min: 1, max: 200 }), (newer, known) => {
      const joined = joinRows(rows(-newer, 50 - newer), rows(0, known))
      const numbers = joined.items.map(({ id }) => Number(id.split(':')[2]))
      expect(numbers).toEqual(numbers.map((_, index) => index - newer))
    }),
  )
})
