import { expect, it } from 'vitest'
import { activities, NOW } from '#client/testing/fixtures.ts'
import { daysOf } from './activity-days.tsx'
import { localDay } from './activity-list.ts'

it('activity rows are split by day in their order, in the time zone of the browser', () => {
  const rows = activities(0, 200)
  const days = daysOf(rows)
  expect(days.flatMap(({ items }) => items)).toEqual(rows)
  for (const { day, items } of days) {
    const shown = new Set(items.map(({ timestamp }) => new Date(timestamp).getDate()))
    expect([...shown]).toEqual([Number(day.slice(8))])
  }
  expect(new Set(days.map(({ day }) => day)).size).toBe(days.length)
  // Three days and a part of a fourth one at least.
  expect(days.length).toBeGreaterThanOrEqual(3)
})

it('rows of a demo clock are split by the day of their real time', () => {
  // Ten days of product time in four hours.
  const clock = { speed: 60, offsetMs: NOW - NOW / 60 }
  const rows = activities(0, 200)
  const last = new Date(clock.offsetMs + Date.parse(rows.at(-1)?.timestamp ?? '') / 60)
  const days = daysOf(rows, clock).map(({ day }) => day)
  expect(days[0]).toBe(localDay(new Date(NOW).toISOString()))
  expect(days.at(-1)).toBe(localDay(last.toISOString()))
  expect(days.length).toBeLessThanOrEqual(2)
})

it('rows added at both ends leave the days between them unchanged', () => {
  const before = daysOf(activities(0, 200))
  const after = daysOf(activities(-1, 300))
  expect(after.slice(1, 3)).toEqual(before.slice(1, 3))
})
