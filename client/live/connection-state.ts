import { atom } from 'jotai'
import { store } from '#client/data/query-cache.ts'
import { nowAtom } from '#client/data/server-clock.ts'
import { SECOND_MS } from '#rules/constants'

/** Real ms for which a lost socket still counts as live, so that a quick reconnect shows nothing. */
export const GRACE_MS = 2.5 * SECOND_MS

/** All times are real ms. */
type Facts = {
  /** `expected`: none was open since the sign-in. `expected` and `lost` end with the grace period. */
  socket: 'expected' | 'open' | 'lost' | 'absent'
  /** Whether the last poll was answered; polls count only while no socket is open. */
  isAnswered: boolean
  /** Stored snapshots are shown, which stay marked as old until the server answers. */
  isRestored: boolean
  lastContactAt: number
  /** When the socket last delivered a heartbeat: its loss is noticed only later. */
  lastHeartbeatAt: number
  lastPollAnswerAt: number
}

const factsAtom = atom<Facts>({
  socket: 'expected',
  // A page that has just loaded was answered a moment ago.
  isAnswered: true,
  isRestored: false,
  lastContactAt: Date.now(),
  lastHeartbeatAt: 0,
  lastPollAnswerAt: 0,
})

const facts = () => store.get(factsAtom)
const note = (changed: Partial<Facts>) => store.set(factsAtom, { ...facts(), ...changed })

/**
 * How figures arrive: pushed (`live`), read every few seconds (`polling`) or not at all (`offline`). Times are real
 * ms; `ageMs` is 0 while live and while connecting.
 */
export type Connection = {
  state: 'connecting' | 'live' | 'polling' | 'offline'
  ageMs: number
  lastContactAt: number
}

export const connectionAtom = atom<Connection>((get) => {
  const { socket, isAnswered, lastContactAt } = get(factsAtom)
  if (socket === 'expected') return { state: 'connecting', ageMs: 0, lastContactAt }
  if (socket !== 'absent') return { state: 'live', ageMs: 0, lastContactAt }
  const ageMs = Math.max(0, get(nowAtom) - lastContactAt)
  return { state: isAnswered ? 'polling' : 'offline', ageMs, lastContactAt }
})

let graceTimer: ReturnType<typeof setTimeout> | undefined

function noteSocket(socket: Facts['socket'], changed: Partial<Facts> = {}): void {
  note({ ...changed, socket })
  clearTimeout(graceTimer)
  if (socket === 'expected' || socket === 'lost') {
    graceTimer = setTimeout(() => noteSocket('absent'), GRACE_MS)
  }
}

/** Restored snapshots are shown: offline since `lastContactAt` (real ms) until the server answers. */
export const showRestored = (lastContactAt: number) =>
  noteSocket('absent', { isAnswered: false, isRestored: true, lastContactAt })

/** A member has signed in and the socket is connecting; it counts as lost after the grace period. */
export function socketExpected(): void {
  if (facts().isRestored) return
  noteSocket('expected', { isAnswered: true, lastContactAt: Date.now() })
}

export function socketUp(): void {
  const now = Date.now()
  const changed = { isAnswered: true, isRestored: false, lastContactAt: now, lastHeartbeatAt: now }
  noteSocket('open', changed)
}

export const socketActive = () => note({ lastHeartbeatAt: Date.now() })

export function socketDown(): void {
  const { socket, lastHeartbeatAt } = facts()
  if (socket === 'open') noteSocket('lost', { lastContactAt: lastHeartbeatAt })
}

/** The network blocks WebSockets; polling starts without a grace period. */
export const socketBlocked = () => noteSocket('absent')

export const answeredSince = (at: number): boolean => facts().lastPollAnswerAt >= at

export function pollAnswered(answered: boolean): void {
  const { socket, isAnswered } = facts()
  if (answered) {
    const now = Date.now()
    note({ isAnswered: true, isRestored: false, lastContactAt: now, lastPollAnswerAt: now })
    if (!isAnswered) count(networkBackAtom)
  } else if (socket !== 'open') {
    note({ isAnswered: false })
  }
}

const networkBackAtom = atom(0)
const answersAtom = atom(0)
const count = (counter: typeof answersAtom) => store.set(counter, (before) => before + 1)

/** A poll was answered after one that was not. */
export const onNetworkBack = (listener: () => void) => store.sub(networkBackAtom, listener)

/** Snapshots can be read again (`serverAnswered`). */
export const onServerAnswer = (listener: () => void) => store.sub(answersAtom, listener)

/** The socket has opened or a poll has read a status. */
export const serverAnswered = () => count(answersAtom)
