import { afterAll, expect, it } from 'vitest'
import type { NetworkStatus } from '#rules/snapshots'
import { activitySummary, hoursOf, networkRateText } from './network-status.ts'

it('a rate has three decimals, a rate of 1,000 or more has none', () => {
  expect(networkRateText(0)).toBe('0.000')
  expect(networkRateText(0.315)).toBe('0.315')
  expect(networkRateText(999.9)).toBe('999.900')
  expect(networkRateText(123_456.7)).toBe('123,456')
})

it('a rate is rounded towards zero', () => {
  expect(networkRateText(1_000.6)).toBe('1,000')
  expect(networkRateText(999.9996)).toBe('999.999')
})

it('the activity summary names the total and the hour with most credits', () => {
  const hours = [
    { label: '8 AM', credits: 3 },
    { label: '9 AM', credits: 1_200 },
    { label: '10 AM', credits: 0 },
  ]
  expect(activitySummary(hours)).toBe('1,203 credits in the last 24 hours, most at 9 AM: 1,200')
  const quiet = hours.map(({ label }) => ({ label, credits: 0 }))
  expect(activitySummary(quiet)).toBe('No credits in the last 24 hours')
})

const zone = process.env.TZ
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

it('an hour that begins within one of the time zone names its minutes', () => {
  process.env.TZ = 'Asia/Kolkata'
  const activity = [{ hour: '2026-03-01T12:00:00.000Z', credits: 1 }]
  expect(hoursOf({ activity } as NetworkStatus)).toEqual([{ label: '5:30 PM', credits: 1 }])
})
