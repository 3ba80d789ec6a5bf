import { expect, it } from 'vitest'
import { activities, NOW } from '#client/testing/fixtures.ts'
import { daysOf } from './activity-days.tsx'

it('activity rows are split by UTC day in their order', () => {
  const rows = activities(0, 200)
  const days = daysOf(rows)
  expect(days.flatMap(({ items }) => items)).toEqual(rows)
  expect(days.map(({ day, items }) => [day, items.length])).toEqual([
    ['2026-03-01', 37],
    ['2026-02-28', 72],
    ['2026-02-27', 72],
    ['2026-02-26', 19],
  ])
})

it('rows of a demo clock are split by the day of their real time', () => {
  // Ten days of product time in four hours.
  const clock = { speed: 60, offsetMs: NOW - NOW / 60 }
  expect(daysOf(activities(0, 200), clock).map(({ day }) => day)).toEqual(['2026-03-01'])
})

it('rows added at both ends leave the days between them unchanged', () => {
  const before = daysOf(activities(0, 200))
  const after = daysOf(activities(-1, 300))
  expect(after.slice(1, 3)).toEqual(before.slice(1, 3))
})
