import { describe, expect, it } from 'vitest'
import {
  type ConnectionEvent,
  type ConnectionFacts,
  type ConnectionState,
  connectionOf,
  GRACE_MS,
  initialFacts,
  reduce,
} from './connection-reducer.ts'

const START = 1_000_000
const after = (...events: ConnectionEvent[]) => events.reduce(reduce, initialFacts(START))
const stateAt = (facts: ConnectionFacts, now: number) => {
  const { state, ageMs } = connectionOf(facts, () => now)
  return { state, ageMs }
}

const expected = (ms: number): ConnectionEvent => ({ type: 'socket expected', at: START + ms })
const up = (ms: number): ConnectionEvent => ({ type: 'socket up', at: START + ms })
const down = (ms: number): ConnectionEvent => ({ type: 'socket down', at: START + ms })
const heartbeat = (ms: number): ConnectionEvent => ({ type: 'socket heartbeat', at: START + ms })
const answered = (ms: number): ConnectionEvent => ({ type: 'poll answered', at: START + ms })
const failed: ConnectionEvent = { type: 'poll failed' }
const graceOver: ConnectionEvent = { type: 'grace over' }
const blocked: ConnectionEvent = { type: 'socket blocked' }
const restored = (ms: number): ConnectionEvent => ({
  type: 'snapshots restored',
  lastContactAt: START + ms,
})

/** Events in order, when the screen is read (ms after the start), and what it shows. */
type Row = [name: string, events: ConnectionEvent[], readAt: number, state: string, ageMs: number]

describe('the shown connection', () => {
  it.each<Row>([
    ['connecting before the first socket', [], 5_000, 'connecting', 0],
    ['connecting while a socket is expected', [expected(10)], 20, 'connecting', 0],
    ['connecting when the first attempt fails', [expected(0), down(10)], 20, 'connecting', 0],
    ['connecting while a poll is answered', [expected(0), answered(9)], 20, 'connecting', 0],
    ['polling when no socket opened in time', [expected(0), graceOver], 2_500, 'polling', 2_500],
    ['live after the socket opened', [expected(0), up(10)], 9_000, 'live', 0],
    ['live within the grace period of a lost socket', [up(0), down(10)], 20, 'live', 0],
    ['live after a reconnect', [up(0), down(10), up(900)], 60_000, 'live', 0],
    ['polling after the grace period', [up(0), down(10), graceOver], 2_600, 'polling', 2_600],
    ['polling immediately when sockets are blocked', [expected(0), blocked], 100, 'polling', 100],
    ['offline after a failed poll', [up(0), down(10), graceOver, failed], 5_000, 'offline', 5_000],
    [
      'polling again after an answered poll',
      [up(0), down(10), graceOver, failed, answered(6_000)],
      6_500,
      'polling',
      500,
    ],
    [
      'as old as the last heartbeat, not as the noticed loss',
      [up(0), heartbeat(20_000), down(35_000), graceOver, failed],
      38_000,
      'offline',
      18_000,
    ],
    ['offline with the age of restored snapshots', [restored(-600_000)], 0, 'offline', 600_000],
    [
      'offline when a socket is expected for a restored member',
      [restored(-600_000), expected(0)],
      0,
      'offline',
      600_000,
    ],
    ['polling once a poll confirms', [restored(-600_000), answered(10)], 110, 'polling', 100],
    ['live once a socket opens', [restored(-600_000), up(10)], 60_000, 'live', 0],
    ['never of negative age', [up(0), down(10), graceOver, answered(900)], 100, 'polling', 0],
  ])('is %s', (_, events, readAt, state, ageMs) => {
    expect(stateAt(after(...events), START + readAt)).toEqual({ state, ageMs })
  })
})

/** The state that each event leads to, in the order of EVENTS; a dot changes nothing. */
const EVENTS = [
  'snapshots restored',
  'socket expected',
  'socket up',
  'socket heartbeat',
  'socket down',
  'socket blocked',
  'grace over',
  'poll answered',
  'poll failed',
] as const
const TABLE: Record<ConnectionState, string> = {
  connecting: 'restored connecting live . . polling polling . unanswered',
  unanswered: 'restored connecting live . . offline offline connecting .',
  live: 'restored connecting live . reconnecting polling . . .',
  reconnecting: 'restored connecting live . . polling polling . lost',
  lost: 'restored connecting live . . offline offline reconnecting .',
  polling: 'restored connecting live . . . . . offline',
  offline: 'restored connecting live . . . . polling .',
  restored: 'restored restored live . . . . polling .',
}

it.each(Object.entries(TABLE))('the transitions of %s are those of the table', (from, row) => {
  const facts = { ...initialFacts(START), state: from as ConnectionState }
  const reached = EVENTS.map((type) => {
    const event = { type, at: START + 10, lastContactAt: START } as ConnectionEvent
    return reduce(facts, event).state
  })
  expect(reached).toEqual(row.split(' ').map((to) => (to === '.' ? from : to)))
})

describe('the grace period', () => {
  it.each<[name: string, events: ConnectionEvent[], endsAt: number | null]>([
    ['does not run at start', [], null],
    ['starts when a socket is expected', [expected(10)], START + 10 + GRACE_MS],
    ['starts when a socket is lost', [up(0), down(10)], START + 10 + GRACE_MS],
    ['is not extended by further failures', [up(0), down(10), down(900)], START + 10 + GRACE_MS],
    ['starts again for the next member', [expected(0), expected(900)], START + 900 + GRACE_MS],
    ['ends when the socket opens', [expected(0), up(10)], null],
    ['ends when sockets are blocked', [expected(0), blocked], null],
    ['ends when it is over', [expected(0), graceOver], null],
    ['does not start while polling', [expected(0), graceOver, down(9_000)], null],
    ['does not start for restored snapshots', [restored(-9), expected(0), down(10)], null],
  ])('%s', (_, events, endsAt) => {
    expect(after(...events).graceEndsAt).toBe(endsAt)
  })
})

it('only answered polls set the time of the last answer', () => {
  expect(after(up(10), failed).lastPollAnswerAt).toBe(0)
  expect(after(answered(10), failed, heartbeat(20)).lastPollAnswerAt).toBe(START + 10)
})
