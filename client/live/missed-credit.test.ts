import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { anActiveStatus, anIdleStatus, aSession } from '#client/testing/fixtures.ts'
import { missedAfterMs, missedCreditAlarm, OVERDUE_MS } from './missed-credit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const dueIn = (nextCreditIn: number, speed = 1) =>
  anActiveStatus({ session: aSession({ nextCreditIn }), speed })

it('a credit counts as missed 20 real seconds after it was due, even on a fast clock', () => {
  expect(missedAfterMs(dueIn(60_000))).toBe(60_000 + OVERDUE_MS)
  expect(missedAfterMs(dueIn(60_000, 60))).toBe(1_000 + OVERDUE_MS)
  expect(missedAfterMs(anIdleStatus())).toBeNull()
})

it('the alarm fires once for a status that no other followed', () => {
  const onMissed = vi.fn()
  const alarm = missedCreditAlarm(onMissed)
  const status = dueIn(60_000)
  alarm.arm(status)
  vi.advanceTimersByTime(50_000)
  alarm.arm(status)
  vi.advanceTimersByTime(29_999)
  expect(onMissed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onMissed).toHaveBeenCalledTimes(1)
  alarm.arm(dueIn(0))
  vi.advanceTimersByTime(3_600_000)
  expect(onMissed).toHaveBeenCalledTimes(1)
})

it('the alarm does not fire after the next status has arrived', () => {
  const onMissed = vi.fn()
  const alarm = missedCreditAlarm(onMissed)
  alarm.arm(dueIn(60_000))
  vi.advanceTimersByTime(60_000)
  alarm.arm(dueIn(1_200_000))
  vi.advanceTimersByTime(1_200_000)
  expect(onMissed).not.toHaveBeenCalled()
  alarm.stop()
})
