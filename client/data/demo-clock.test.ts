import { expect, it } from 'vitest'
import { anIdleStatus, NOW } from '#client/testing/fixtures.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#rules/constants'
import { demoClockOf, productTime, realTime } from './demo-clock.ts'

const at = (ms: number) => new Date(ms).toISOString()
const statusAt = (productNow: number, speed: number) =>
  anIdleStatus({ serverNow: at(productNow), speed, asOf: NOW })

it('product time at real speed is shown as it is', () => {
  expect(demoClockOf(statusAt(NOW + 50, 1))).toBeNull()
  expect(realTime(at(NOW - HOUR_MS), null)).toBe(at(NOW - HOUR_MS))
})

it('a demo clock shows the real time at which a row was written', () => {
  const clock = demoClockOf(statusAt(NOW + 10 * DAY_MS, 60))
  expect(realTime(at(NOW + 10 * DAY_MS), clock)).toBe(at(NOW))
  expect(realTime(at(NOW + 10 * DAY_MS - HOUR_MS), clock)).toBe(at(NOW - MINUTE_MS))
})

it('a demo clock that was set back to real speed stays ahead', () => {
  const clock = demoClockOf(statusAt(NOW + DAY_MS, 1))
  expect(realTime(at(NOW + DAY_MS - HOUR_MS), clock)).toBe(at(NOW - HOUR_MS))
})

it('productTime is the inverse of realTime, up to the rounding of real times', () => {
  const clock = demoClockOf(statusAt(NOW + 10 * DAY_MS, 60))
  for (const ms of [0, MINUTE_MS, DAY_MS]) {
    const back = productTime(Date.parse(realTime(at(NOW - ms), clock)), clock)
    expect(Math.abs(back - (NOW - ms))).toBeLessThanOrEqual(60)
    expect(productTime(NOW - ms, null)).toBe(NOW - ms)
  }
})
