import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
  socketBlocked,
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

/** An event, ms after the socket has opened. */
type Step = [ms: number, event: () => void]

const expected = (ms: number): Step => [ms, socketExpected]
const up = (ms: number): Step => [ms, socketUp]
const down = (ms: number): Step => [ms, socketDown]
const heartbeat = (ms: number): Step => [ms, socketActive]
const blocked = (ms: number): Step => [ms, socketBlocked]
const answered = (ms: number): Step => [ms, () => pollAnswered(true)]
const failed = (ms: number): Step => [ms, () => pollAnswered(false)]
const restored = (ageMs: number): Step => [0, () => showRestored(Date.now() - ageMs)]

/** Events in order, when the screen is read, and what it shows. */
type Row = [name: string, events: Step[], readAt: number, state: string, ageMs: number]

describe('the shown connection', () => {
  it.each<Row>([
    ['connecting while a socket is expected', [expected(10)], 20, 'connecting', 0],
    ['connecting when the first attempt fails', [expected(0), down(10)], 20, 'connecting', 0],
    ['connecting while a poll is answered', [expected(0), answered(9)], 20, 'connecting', 0],
    ['polling when no socket opened in time', [expected(0)], 2_500, 'polling', 2_500],
    [
      'connecting for all of the grace period',
      [expected(0), expected(900)],
      3_399,
      'connecting',
      0,
    ],
    [
      'polling after that of the next member',
      [expected(0), expected(900)],
      3_400,
      'polling',
      2_500,
    ],
    ['live after the socket opened', [expected(0), up(10)], 9_000, 'live', 0],
    ['live within the grace period of a lost socket', [down(10)], 20, 'live', 0],
    ['live after a reconnect', [down(10), up(900)], 60_000, 'live', 0],
    ['live after a socket that was blocked', [expected(0), blocked(10), up(20)], 9_000, 'live', 0],
    ['polling after the grace period', [down(10)], 2_600, 'polling', 2_600],
    ['polling immediately when sockets are blocked', [expected(0), blocked(9)], 99, 'polling', 99],
    ['offline after a failed poll', [down(10), failed(2_600)], 5_000, 'offline', 5_000],
    [
      'polling again after an answered poll',
      [down(10), failed(2_600), answered(6_000)],
      6_500,
      'polling',
      500,
    ],
    [
      'as old as the last heartbeat, not as the noticed loss',
      [heartbeat(20_000), down(35_000), failed(37_600)],
      38_000,
      'offline',
      18_000,
    ],
    ['offline with the age of restored snapshots', [restored(600_000)], 0, 'offline', 600_000],
    [
      'offline when a socket is expected for a restored member',
      [restored(600_000), expected(0), down(10)],
      9_000,
      'offline',
      609_000,
    ],
    ['polling once a poll confirms', [restored(600_000), answered(10)], 110, 'polling', 100],
    ['live once a socket opens', [restored(600_000), up(10)], 60_000, 'live', 0],
  ])('is %s', (_, events, readAt, state, ageMs) => {
    const start = Date.now()
    const passUntil = (ms: number) => vi.advanceTimersByTime(start + ms - Date.now())
    for (const [ms, event] of events) {
      passUntil(ms)
      event()
    }
    passUntil(readAt)
    // The age is that of the moment only for a component that has just been mounted.
    stop()
    stop = store.sub(connectionAtom, () => {})
    expect(connection()).toMatchObject({ state, ageMs })
  })

  it('is never of negative age', () => {
    socketBlocked()
    vi.advanceTimersByTime(900)
    pollAnswered(true)
    expect(connection()).toMatchObject({ state: 'polling', ageMs: 0 })
  })

  it('is connecting on a page that has just loaded, without a grace period', async () => {
    vi.resetModules()
    const page = await import('./connection-state.ts')
    const { store } = await import('#client/data/query-cache.ts')
    vi.advanceTimersByTime(2 * GRACE_MS)
    expect(store.get(page.connectionAtom)).toMatchObject({ state: 'connecting', ageMs: 0 })
  })
})

/** The state that each event leads to, in the order of EVENTS; a dot changes nothing. */
const EVENTS = [
  () => showRestored(Date.now()),
  socketExpected,
  socketUp,
  socketActive,
  socketDown,
  socketBlocked,
  () => vi.advanceTimersByTime(GRACE_MS),
  () => pollAnswered(true),
  () => pollAnswered(false),
]
const TABLE = {
  connecting: 'restored connecting live . . polling polling . unanswered',
  unanswered: 'restored connecting live . . offline offline connecting .',
  live: 'restored connecting live . reconnecting polling . . .',
  reconnecting: 'restored connecting live . . polling polling . lost',
  lost: 'restored connecting live . . offline offline reconnecting .',
  polling: 'restored connecting live . . . . . offline',
  offline: 'restored connecting live . . . . polling .',
  restored: 'restored restored live . . . . polling .',
}
type State = keyof typeof TABLE

/** What leads from an open socket to a state. */
const PATHS: Record<State, Step[]> = {
  connecting: [expected(0)],
  unanswered: [expected(0), failed(0)],
  live: [],
  reconnecting: [down(0)],
  lost: [down(0), failed(0)],
  polling: [blocked(0)],
  offline: [blocked(0), failed(0)],
  restored: [restored(0)],
}
/** What is shown in a state, after a grace period, then when sockets are blocked and when one is expected. */
const SHOWN: Record<State, string> = {
  connecting: 'connecting polling polling connecting',
  unanswered: 'connecting offline offline connecting',
  live: 'live live polling connecting',
  reconnecting: 'live polling polling connecting',
  lost: 'live offline offline connecting',
  polling: 'polling polling polling connecting',
  offline: 'offline offline offline connecting',
  restored: 'offline offline offline offline',
}

it.each(Object.keys(TABLE) as State[])('the transitions of %s are those of the table', (from) => {
  const reached = EVENTS.map((event) => {
    socketUp()
    for (const [, step] of PATHS[from]) step()
    event()
    const probes = [() => {}, () => vi.advanceTimersByTime(GRACE_MS), socketBlocked, socketExpected]
    return probes
      .map((probe) => {
        probe()
        return connection().state
      })
      .join(' ')
  })
  const states = TABLE[from].split(' ').map((to) => (to === '.' ? from : (to as State)))
  expect(reached).toEqual(states.map((state) => SHOWN[state]))
})

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

it('the age of the figures counts each second', () => {
  socketDown()
  vi.advanceTimersByTime(GRACE_MS)
  pollAnswered(true)
  pollAnswered(false)
  vi.advanceTimersByTime(7_000)
  expect(connection().ageMs).toBeGreaterThanOrEqual(6_000)
  expect(connection().ageMs).toBeLessThanOrEqual(7_000)
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
  socketActive()
  socketUp()
  expect(answeredSince(answeredAt)).toBe(true)
  expect(answeredSince(answeredAt + 1)).toBe(false)
})
