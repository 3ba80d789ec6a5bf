import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { anActiveStatus, anIdleStatus, aSession } from '#client/testing/fixtures.ts'
import { OVERDUE_MS, overdueAlarm, silentFor } from './missed-credit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const due = (nextCreditIn: number, speed = 1) =>
  anActiveStatus({ session: aSession({ nextCreditIn }), speed })

it('waits 20 real seconds longer than the credit takes, also on a fast clock', () => {
  expect(silentFor(due(60_000))).toBe(60_000 + OVERDUE_MS)
  expect(silentFor(due(60_000, 60))).toBe(1_000 + OVERDUE_MS)
  expect(silentFor(anIdleStatus())).toBeNull()
})

it('rings once for a status that nothing followed', () => {
  const ring = vi.fn()
  const alarm = overdueAlarm(ring)
  const status = due(60_000)
  alarm.arm(status)
  vi.advanceTimersByTime(50_000)
  alarm.arm(status)
  vi.advanceTimersByTime(29_999)
  expect(ring).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(ring).toHaveBeenCalledTimes(1)
  alarm.arm(due(0))
  vi.advanceTimersByTime(3_600_000)
  expect(ring).toHaveBeenCalledTimes(1)
})

it('is silent when the next status came', () => {
  const ring = vi.fn()
  const alarm = overdueAlarm(ring)
  alarm.arm(due(60_000))
  vi.advanceTimersByTime(60_000)
  alarm.arm(due(1_200_000))
  vi.advanceTimersByTime(1_200_000)
  expect(ring).not.toHaveBeenCalled()
  alarm.stop()
})
