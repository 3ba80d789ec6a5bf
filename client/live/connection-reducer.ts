import { SECOND_MS } from '#rules/constants'

/** Real ms for which a lost socket still counts as live, so that a quick reconnect shows nothing. */
export const GRACE_MS = 2.5 * SECOND_MS

/**
 * | state | socket | last poll | header |
 * | --- | --- | --- | --- |
 * | connecting | connecting for the first time | answered | Connecting… |
 * | unanswered | connecting for the first time | failed | Connecting… |
 * | live | open | – | Live |
 * | reconnecting | lost, within the grace period | answered | Live |
 * | lost | lost, within the grace period | failed | Live |
 * | polling | absent | answered | Polling |
 * | offline | absent | failed | Offline |
 * | restored | absent, the screen shows stored snapshots | – | Offline |
 */
export type ConnectionState =
  | 'connecting'
  | 'unanswered'
  | 'live'
  | 'reconnecting'
  | 'lost'
  | 'polling'
  | 'offline'
  | 'restored'

/** All times are real ms. */
export type ConnectionEvent =
  | { type: 'snapshots restored'; lastContactAt: number }
  | { type: 'socket expected' | 'socket up' | 'socket heartbeat' | 'socket down'; at: number }
  | { type: 'socket blocked' | 'grace over' | 'poll failed' }
  | { type: 'poll answered'; at: number }

type EventType = ConnectionEvent['type']
type Row = Partial<Record<EventType, ConnectionState>>

const ALWAYS: Row = {
  'snapshots restored': 'restored',
  'socket expected': 'connecting',
  'socket up': 'live',
}
const WAITS_FOR_SOCKET: Row = { 'socket blocked': 'polling', 'grace over': 'polling' }
const WITHOUT_ANSWER: Row = { 'socket blocked': 'offline', 'grace over': 'offline' }

/** An event that is absent changes nothing. */
export const TRANSITIONS: Record<ConnectionState, Row> = {
  connecting: { ...ALWAYS, ...WAITS_FOR_SOCKET, 'poll failed': 'unanswered' },
  unanswered: { ...ALWAYS, ...WITHOUT_ANSWER, 'poll answered': 'connecting' },
  live: { ...ALWAYS, 'socket blocked': 'polling', 'socket down': 'reconnecting' },
  reconnecting: { ...ALWAYS, ...WAITS_FOR_SOCKET, 'poll failed': 'lost' },
  lost: { ...ALWAYS, ...WITHOUT_ANSWER, 'poll answered': 'reconnecting' },
  polling: { ...ALWAYS, 'poll failed': 'offline' },
  offline: { ...ALWAYS, 'poll answered': 'polling' },
  // Stored snapshots stay marked as old until the server answers.
  restored: { ...ALWAYS, 'socket expected': 'restored', 'poll answered': 'polling' },
}

/** All times are real ms. */
export type ConnectionFacts = {
  state: ConnectionState
  graceEndsAt: number | null
  lastContactAt: number
  /** When the socket last delivered a heartbeat: its loss is noticed only later. */
  lastHeartbeatAt: number
  lastPollAnswerAt: number
}

/** A page that has just loaded was answered a moment ago. */
export function initialFacts(now: number): ConnectionFacts {
  return {
    state: 'connecting',
    graceEndsAt: null,
    lastContactAt: now,
    lastHeartbeatAt: 0,
    lastPollAnswerAt: 0,
  }
}

export function reduce(facts: ConnectionFacts, event: ConnectionEvent): ConnectionFacts {
  const state = TRANSITIONS[facts.state][event.type] ?? facts.state
  return {
    ...facts,
    state,
    ...graceAfter(facts, state, event),
    ...contactAfter(facts, state, event),
  }
}

const IN_GRACE: readonly ConnectionState[] = ['connecting', 'unanswered', 'reconnecting', 'lost']

/** The grace period starts when a socket is expected or lost, and ends with its state. */
function graceAfter(
  { graceEndsAt }: ConnectionFacts,
  state: ConnectionState,
  event: ConnectionEvent,
): Pick<ConnectionFacts, 'graceEndsAt'> {
  if (!IN_GRACE.includes(state)) return { graceEndsAt: null }
  const isStart =
    event.type === 'socket expected' || (event.type === 'socket down' && graceEndsAt === null)
  return { graceEndsAt: isStart ? event.at + GRACE_MS : graceEndsAt }
}

function contactAfter(
  { state: before, lastHeartbeatAt }: ConnectionFacts,
  state: ConnectionState,
  event: ConnectionEvent,
): Partial<ConnectionFacts> {
  switch (event.type) {
    case 'snapshots restored':
      return { lastContactAt: event.lastContactAt }
    case 'socket expected':
      return state === 'connecting' ? { lastContactAt: event.at } : {}
    case 'socket up':
      return { lastContactAt: event.at, lastHeartbeatAt: event.at }
    case 'socket heartbeat':
      return { lastHeartbeatAt: event.at }
    case 'socket down':
      return before === 'live' ? { lastContactAt: lastHeartbeatAt } : {}
    case 'poll answered':
      return { lastContactAt: event.at, lastPollAnswerAt: event.at }
    default:
      return {}
  }
}

const ANSWERED: readonly ConnectionState[] = ['connecting', 'live', 'reconnecting', 'polling']

export function isAnswered({ state }: ConnectionFacts): boolean {
  return ANSWERED.includes(state)
}

/**
 * How figures arrive: pushed (`live`), read every few seconds (`polling`) or not at all (`offline`). Times are real
 * ms; `ageMs` is 0 while live and while connecting.
 */
export type Connection = {
  state: 'connecting' | 'live' | 'polling' | 'offline'
  ageMs: number
  lastContactAt: number
}

const SHOWN: Record<ConnectionState, Connection['state']> = {
  connecting: 'connecting',
  unanswered: 'connecting',
  live: 'live',
  reconnecting: 'live',
  lost: 'live',
  polling: 'polling',
  offline: 'offline',
  restored: 'offline',
}

/** The connection that the facts describe; `now` (real ms) is read only when the age counts. */
export function connectionOf(facts: ConnectionFacts, now: () => number): Connection {
  const { lastContactAt } = facts
  const state = SHOWN[facts.state]
  const isOld = state === 'polling' || state === 'offline'
  return { state, ageMs: isOld ? Math.max(0, now() - lastContactAt) : 0, lastContactAt }
}
