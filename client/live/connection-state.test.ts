import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { store } from '#client/data/member-data.ts'
import {
  connectionAtom,
  GRACE_MS,
  pollAnswered,
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

it('says nothing of a gap of one second', () => {
  const seen: string[] = []
  const unsubscribe = store.sub(connectionAtom, () => seen.push(connection().state))
  socketDown()
  vi.advanceTimersByTime(1_000)
  socketUp()
  vi.advanceTimersByTime(10_000)
  unsubscribe()
  expect(connection()).toMatchObject({ state: 'live', ageMs: 0 })
  expect(seen).not.toContain('polling')
})

it('shows a lost socket after its grace, however often it fails meanwhile', () => {
  socketDown()
  vi.advanceTimersByTime(GRACE_MS - 100)
  socketDown()
  vi.advanceTimersByTime(100)
  expect(connection().state).toBe('polling')
})

it('is offline once a poll fails and polling once one succeeds', () => {
  socketDown()
  vi.advanceTimersByTime(GRACE_MS)
  pollAnswered(false)
  expect(connection().state).toBe('offline')
  pollAnswered(true)
  expect(connection()).toMatchObject({ state: 'polling', ageMs: 0 })
})

it('tells how old the figures are, each second', () => {
  socketDown()
  vi.advanceTimersByTime(GRACE_MS)
  pollAnswered(true)
  pollAnswered(false)
  vi.advanceTimersByTime(7_000)
  expect(connection().ageMs).toBeGreaterThanOrEqual(6_000)
  expect(connection().ageMs).toBeLessThanOrEqual(7_000)
})

it('counts the age from the last heartbeat, not from when its loss was noticed', () => {
  vi.advanceTimersByTime(20_000)
  socketActive()
  vi.advanceTimersByTime(15_000)
  socketDown()
  vi.advanceTimersByTime(GRACE_MS)
  pollAnswered(false)
  expect(connection().ageMs).toBeGreaterThanOrEqual(15_000)
  expect(connection().ageMs).toBeLessThan(20_000)
})

it('is connecting until the first socket opens, and never Live before', () => {
  const seen: string[] = []
  socketDown()
  vi.advanceTimersByTime(GRACE_MS)
  socketExpected()
  const unsubscribe = store.sub(connectionAtom, () => seen.push(connection().state))
  socketDown()
  pollAnswered(true)
  vi.advanceTimersByTime(GRACE_MS - 100)
  expect(connection()).toMatchObject({ state: 'connecting', ageMs: 0 })
  socketUp()
  vi.advanceTimersByTime(GRACE_MS)
  unsubscribe()
  expect(connection().state).toBe('live')
  expect(new Set(seen)).toEqual(new Set(['connecting', 'live']))
})

it('gives the socket of somebody who has just signed in its grace', () => {
  socketExpected()
  vi.advanceTimersByTime(GRACE_MS - 100)
  expect(connection().state).toBe('connecting')
  vi.advanceTimersByTime(100)
  expect(connection().state).toBe('polling')
})

it('says nothing of connecting once it was live', () => {
  const seen: string[] = []
  const unsubscribe = store.sub(connectionAtom, () => seen.push(connection().state))
  for (const gapMs of [1_000, 2_000, GRACE_MS]) {
    socketDown()
    vi.advanceTimersByTime(gapMs)
    socketUp()
  }
  unsubscribe()
  expect(seen).not.toContain('connecting')
})
