import { afterEach, expect, it, vi } from 'vitest'
import {
  clockText,
  dateText,
  dateTimeRangeText,
  dateTimeText,
  dayText,
  hourText,
  timeText,
  utcDayText,
  utcWeekdayText,
} from './dates.ts'

afterEach(() => vi.restoreAllMocks())

// Noon UTC falls on the same day in all time zones but the outermost.
const AT = '2026-03-01T12:30:00.000Z'

it('dates name the year', () => {
  expect(dateText(AT)).toContain('2026')
  expect(dayText(AT)).toContain('2026')
  expect(dateTimeText(AT)).toContain('2026')
})

it('times name the minute, whole hours do not', () => {
  expect(timeText(AT)).toContain(':')
  expect(dateTimeText(AT)).toContain(':')
  expect(hourText(new Date(2026, 2, 1, 12).getTime())).toBe('12 PM')
})

it('a range names its day once, and both if it ends on another one', () => {
  const years = (from: Date, to: Date) =>
    dateTimeRangeText(from.getTime(), to.getTime()).match(/2026/g)?.length
  const at = (date: number, hour: number) => new Date(2026, 2, date, hour)
  expect(years(at(1, 9), at(1, 10))).toBe(1)
  expect(years(at(1, 23), at(2, 0))).toBe(2)
})

it('clock times have 24 hours', () => {
  expect(clockText(AT)).toMatch(/^\d\d:\d\d$/)
  expect(clockText(new Date(2026, 2, 1, 0, 5).getTime())).toBe('00:05')
  expect(clockText(new Date(2026, 2, 1, 23, 59).getTime())).toBe('23:59')
})

it('dates are in the regional form that the browser prefers', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['de', 'en-GB', 'en-US'])
  expect(dateText(AT)).toBe('1 Mar 2026')
})

it('a language tag that Intl rejects is skipped', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US@posix'])
  expect(dateText(AT)).toBe('Mar 1, 2026')
})

it('UTC days do not depend on the time zone', () => {
  expect(utcDayText('2026-03-01T23:59:59.999Z')).toBe(utcDayText('2026-03-01'))
  expect(utcDayText('2026-03-01')).not.toBe(utcDayText('2026-03-02'))
  expect(utcWeekdayText('2026-03-01T23:59:59.999Z')).toBe('Sun')
})
