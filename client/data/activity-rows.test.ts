import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { activities, NOW } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { joinRows, receiveActivity } from './activity-rows.ts'
import { ACTIVITY_URL, receiveSnapshot, snapshotOf } from './member-data.ts'

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

it('joined rows contain no gap and no duplicate', () => {
  fc.assert(
    fc.property(fc.nat(120), fc.integer({ min: 1, max: 200 }), (newer, known) => {
      const joined = joinRows(rows(-newer, 50 - newer), rows(0, known))
      const numbers = joined.items.map(({ id }) => Number(id.split(':')[2]))
      expect(numbers).toEqual(numbers.map((_, index) => index - newer))
    }),
  )
})

describe('a pushed page', () => {
  const page = (from: number, to: number, next: string | null, asOf: number) => ({
    ...rows(from, to),
    next,
    asOf,
  })
  beforeEach(() => startAs())

  it('a pushed page is joined with the cached page and keeps its cursor', () => {
    receiveSnapshot(ACTIVITY_URL, page(0, 20, 'after 20', NOW))
    receiveActivity(page(-2, 3, 'after 3', NOW + 1))
    expect(snapshotOf(ACTIVITY_URL)).toEqual(page(-2, 20, 'after 20', NOW + 1))
  })

  it('a pushed page behind a gap replaces the cached page', () => {
    receiveSnapshot(ACTIVITY_URL, page(0, 20, 'after 20', NOW))
    receiveActivity(page(-9, -4, 'after -4', NOW + 1))
    expect(snapshotOf(ACTIVITY_URL)).toEqual(page(-9, -4, 'after -4', NOW + 1))
  })

  it('a pushed page older than the cached one is ignored', () => {
    receiveSnapshot(ACTIVITY_URL, page(0, 20, 'after 20', NOW))
    receiveActivity(page(1, 6, 'after 6', NOW - 1))
    expect(snapshotOf(ACTIVITY_URL)).toEqual(page(0, 20, 'after 20', NOW))
  })

  it('without a cached page only a complete pushed list is kept', () => {
    receiveActivity(page(0, 5, 'after 5', NOW))
    expect(snapshotOf(ACTIVITY_URL)).toBeUndefined()
    receiveActivity(page(0, 2, null, NOW))
    expect(snapshotOf(ACTIVITY_URL)).toEqual(page(0, 2, null, NOW))
  })

  it('a pushed page replaces an empty list with its own cursor', () => {
    receiveSnapshot(ACTIVITY_URL, page(0, 0, null, NOW))
    receiveActivity(page(0, 5, 'after 5', NOW + 1))
    expect(snapshotOf(ACTIVITY_URL)).toEqual(page(0, 5, 'after 5', NOW + 1))
  })
})
