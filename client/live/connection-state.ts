import { atom } from 'jotai'
import { store } from '#client/data/query-cache.ts'
import { SECOND_MS } from '#rules/constants'
import {
  type Connection,
  type ConnectionEvent,
  connectionOf,
  initialFacts,
  isAnswered,
  reduce,
} from './connection-reducer.ts'

export { type Connection, GRACE_MS } from './connection-reducer.ts'

const factsAtom = atom(initialFacts(Date.now()))

/** Real ms, read each second while a component shows an age. */
const nowAtom = atom(Date.now())
nowAtom.onMount = (set) => {
  set(Date.now())
  const timer = setInterval(() => set(Date.now()), SECOND_MS)
  return () => clearInterval(timer)
}

export const connectionAtom = atom<Connection>((get) =>
  connectionOf(get(factsAtom), () => get(nowAtom)),
)

let graceTimer: ReturnType<typeof setTimeout> | undefined

function dispatch(event: ConnectionEvent): void {
  const before = store.get(factsAtom)
  const after = reduce(before, event)
  store.set(factsAtom, after)
  if (after.graceEndsAt === before.graceEndsAt) return
  clearTimeout(graceTimer)
  if (after.graceEndsAt === null) return
  graceTimer = setTimeout(() => dispatch({ type: 'grace over' }), after.graceEndsAt - Date.now())
}

type Listeners = Set<() => void>
const networkBackListeners: Listeners = new Set()
const answerListeners: Listeners = new Set()

function listen(listeners: Listeners, listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(listeners: Listeners): void {
  for (const listener of listeners) listener()
}

/** A poll was answered after one that was not. */
export const onNetworkBack = (listener: () => void) => listen(networkBackListeners, listener)

/** Snapshots can be read again (`serverAnswered`). */
export const onServerAnswer = (listener: () => void) => listen(answerListeners, listener)

/** Restored snapshots are shown: offline since `lastContactAt` (real ms) until the server answers. */
export const showRestored = (lastContactAt: number) =>
  dispatch({ type: 'snapshots restored', lastContactAt })

export const socketActive = () => dispatch({ type: 'socket heartbeat', at: Date.now() })

export const socketUp = () => dispatch({ type: 'socket up', at: Date.now() })

/** A member has signed in and the socket is connecting; it counts as lost after the grace period. */
export const socketExpected = () => dispatch({ type: 'socket expected', at: Date.now() })

export const socketDown = () => dispatch({ type: 'socket down', at: Date.now() })

/** The network blocks WebSockets; polling starts without a grace period. */
export const socketBlocked = () => dispatch({ type: 'socket blocked' })

export function answeredSince(at: number): boolean {
  return store.get(factsAtom).lastPollAnswerAt >= at
}

export function pollAnswered(answered: boolean): void {
  const isBack = answered && !isAnswered(store.get(factsAtom))
  dispatch(answered ? { type: 'poll answered', at: Date.now() } : { type: 'poll failed' })
  if (isBack) notify(networkBackListeners)
}

/** The socket has opened or a poll has read a status. */
export const serverAnswered = () => notify(answerListeners)
