import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { store } from '#client/data/query-cache.ts'
import {
  answeredSince,
  connectionAtom,
  GRACE_MS,
  onNetworkBack,
  onServerAnswer,
  pollAnswered,
  serverAnswered,
  showRestored,
  socketActive,
  socketDown,
  socketExpected,
  socketUp,
} from './connection-state.ts'

let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  socketUp()
  stop = store.sub(connectionAtom, () => {})
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const connection = () => store.get(connectionAtom)

it('a socket that reconnects within one second stays live', () => {
  const states: string[] = []
  const unsubscribe = store.sub(connectionAtom, () => states.push(connection().state))
  socketDown()
  vi.advanceTimersByTime(1_000)
  socketUp()
  vi.advanceTimersByTime(10_000)
  unsubscribe()
  expect(connection()).toMatchObject({ state: 'live', ageMs: 0 })
  expect(states).not.toContain('polling')
})

it('repeated failures do not extend the grace period of a lost socket', () => {
  socketDown()
  vi.advanceTimersByTime(GRACE_MS - 100)
  socketDown()
  vi.advanceTimersByTime(100)
  expect(connection().state).toBe('polling')
})

it('a failed poll shows offline and an answered one shows polling', () => {
  socketDown()
  vi.advanceTimersByTime(GRACE_MS)
  pollAnswered(false)
  expect(connection().state).toBe('offline')
  pollAnswered(true)
  expect(connection()).toMatchObject({ state: 'polling', ageMs: 0 })
})

it('the age of the figures counts each second', () => {
  socketDown()
  vi.advanceTimersByTime(GRACE_MS)
  pollAnswered(true)
  pollAnswered(false)
  vi.advanceTimersByTime(7_000)
  expect(connection().ageMs).toBeGreaterThanOrEqual(6_000)
  expect(connection().ageMs).toBeLessThanOrEqual(7_000)
})

it('the age counts from the last heartbeat, not from the noticed loss', () => {
  vi.advanceTimersByTime(20_000)
  socketActive()
  vi.advanceTimersByTime(15_000)
  socketDown()
  vi.advanceTimersByTime(GRACE_MS)
  pollAnswered(false)
  expect(connection().ageMs).toBeGreaterThanOrEqual(15_000)
  expect(connection().ageMs).toBeLessThan(20_000)
})

it('the connection is connecting, not live, until the first socket opens', () => {
  const states: string[] = []
  socketDown()
  vi.advanceTimersByTime(GRACE_MS)
  socketExpected()
  const unsubscribe = store.sub(connectionAtom, () => states.push(connection().state))
  socketDown()
  pollAnswered(true)
  vi.advanceTimersByTime(GRACE_MS - 100)
  expect(connection()).toMatchObject({ state: 'connecting', ageMs: 0 })
  socketUp()
  vi.advanceTimersByTime(GRACE_MS)
  unsubscribe()
  expect(connection().state).toBe('live')
  expect(new Set(states)).toEqual(new Set(['connecting', 'live']))
})

it('a new sign-in gets a grace period before it shows polling', () => {
  socketExpected()
  vi.advanceTimersByTime(GRACE_MS - 100)
  expect(connection().state).toBe('connecting')
  vi.advanceTimersByTime(100)
  expect(connection().state).toBe('polling')
})

it('a lost socket never shows connecting again', () => {
  const states: string[] = []
  const unsubscribe = store.sub(connectionAtom, () => states.push(connection().state))
  for (const gapMs of [1_000, 2_000, GRACE_MS]) {
    socketDown()
    vi.advanceTimersByTime(gapMs)
    socketUp()
  }
  unsubscribe()
  expect(states).not.toContain('connecting')
})

it('restored snapshots keep their age until a poll is answered', () => {
  showRestored(Date.now() - 600_000)
  socketExpected()
  vi.advanceTimersByTime(3_000)
  expect(connection()).toMatchObject({ state: 'offline', ageMs: 603_000 })
  pollAnswered(true)
  expect(connection()).toMatchObject({ state: 'polling', ageMs: 0 })
})

it('onNetworkBack calls back for an answered poll after a failed one', () => {
  const onBack = vi.fn()
  const unsubscribe = onNetworkBack(onBack)
  socketDown()
  pollAnswered(true)
  expect(onBack).not.toHaveBeenCalled()
  pollAnswered(false)
  pollAnswered(true)
  pollAnswered(true)
  expect(onBack).toHaveBeenCalledTimes(1)
  unsubscribe()
  pollAnswered(false)
  pollAnswered(true)
  expect(onBack).toHaveBeenCalledTimes(1)
})

it('onServerAnswer calls back until it is stopped', () => {
  const onAnswer = vi.fn()
  const unsubscribe = onServerAnswer(onAnswer)
  serverAnswered()
  unsubscribe()
  serverAnswered()
  expect(onAnswer).toHaveBeenCalledTimes(1)
})

it('answeredSince compares with the last answered poll', () => {
  pollAnswered(true)
  const answeredAt = Date.now()
  vi.advanceTimersByTime(1_000)
  pollAnswered(false)
  expect(answeredSince(answeredAt)).toBe(true)
  expect(answeredSince(answeredAt + 1)).toBe(false)
})
