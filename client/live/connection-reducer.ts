import { SECOND_MS } from '#rules/constants'

/** Real ms for which a lost socket still counts as live, so that a quick reconnect shows nothing. */
export const GRACE_MS = 2.5 * SECOND_MS

/** All times are real ms. */
export type ConnectionFacts = {
  /** On its way for the first time, open (or lost within the grace period), or absent. */
  socket: 'expected' | 'up' | 'down'
  /** When the grace period of a missing socket ends; null if none runs. */
  graceEndsAt: number | null
  /** Whether the last poll was answered; true while the socket is up or expected. */
  answered: boolean
  /** When the server was last in contact, by socket or HTTP. */
  lastContactAt: number
  /** When the socket last delivered a heartbeat: its loss is noticed only later. */
  lastHeartbeatAt: number
  /** When a poll was last answered. */
  lastPollAnswerAt: number
  /** Whether the screen shows restored snapshots and the server has not answered since. */
  restored: boolean
}

export type ConnectionEvent =
  | { type: 'snapshots restored'; lastContactAt: number }
  | { type: 'socket expected' | 'socket up' | 'socket heartbeat'; at: number }
  | { type: 'socket down'; at: number }
  | { type: 'socket blocked' | 'grace over' | 'poll failed' }
  | { type: 'poll answered'; at: number }

/** A page that has just loaded was answered a moment ago. */
export function initialFacts(now: number): ConnectionFacts {
  return {
    socket: 'expected',
    graceEndsAt: null,
    answered: true,
    lastContactAt: now,
    lastHeartbeatAt: 0,
    lastPollAnswerAt: 0,
    restored: false,
  }
}

/** The facts after an event; the same object if it changes nothing. */
export function reduce(facts: ConnectionFacts, event: ConnectionEvent): ConnectionFacts {
  switch (event.type) {
    case 'snapshots restored': {
      const { lastContactAt } = event
      return { ...facts, restored: true, socket: 'down', answered: false, lastContactAt }
    }
    case 'socket expected': {
      // Restored snapshots stay marked as old until the server answers.
      if (facts.restored) return facts
      const graceEndsAt = event.at + GRACE_MS
      return { ...facts, socket: 'expected', answered: true, lastContactAt: event.at, graceEndsAt }
    }
    case 'socket up':
      return {
        ...facts,
        socket: 'up',
        graceEndsAt: null,
        answered: true,
        restored: false,
        lastContactAt: event.at,
        lastHeartbeatAt: event.at,
      }
    case 'socket heartbeat':
      return { ...facts, lastHeartbeatAt: event.at }
    case 'socket down': {
      if (facts.socket === 'down' || facts.graceEndsAt !== null) return facts
      const graceEndsAt = event.at + GRACE_MS
      return { ...facts, answered: true, lastContactAt: facts.lastHeartbeatAt, graceEndsAt }
    }
    case 'socket blocked':
    case 'grace over':
      return { ...facts, socket: 'down', graceEndsAt: null }
    case 'poll answered': {
      const { at } = event
      return { ...facts, answered: true, restored: false, lastContactAt: at, lastPollAnswerAt: at }
    }
    case 'poll failed':
      return { ...facts, answered: false }
  }
}

/**
 * How the figures on the screen arrive: pushed (`live`), read every few seconds (`polling`) or not
 * at all (`offline`); `connecting` until the first socket opens. `lastContactAt` is when the server
 * last answered, real ms; `ageMs` is the time since, 0 while live and while connecting.
 */
export type Connection = {
  state: 'connecting' | 'live' | 'polling' | 'offline'
  ageMs: number
  lastContactAt: number
}

/** The connection that the facts describe; `now` (real ms) is read only when the age counts. */
export function connectionOf(facts: ConnectionFacts, now: () => number): Connection {
  const { socket, answered, lastContactAt } = facts
  if (socket === 'up') return { state: 'live', ageMs: 0, lastContactAt }
  if (socket === 'expected') return { state: 'connecting', ageMs: 0, lastContactAt }
  const ageMs = Math.max(0, now() - lastContactAt)
  return { state: answered ? 'polling' : 'offline', ageMs, lastContactAt }
}
