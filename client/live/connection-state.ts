import { atom } from 'jotai'
import { store } from '#client/data/query-client.ts'
import { SECOND_MS } from '#rules/constants'

/**
 * How the figures on the screen come: pushed (`live`), asked for (`polling`) or not at all
 * (`offline`); `connecting` until the first socket opens. `heardAt` is when the server was last
 * heard, real ms, and `ageMs` how long ago that was; 0 while live and while connecting.
 */
export type Connection = {
  state: 'connecting' | 'live' | 'polling' | 'offline'
  ageMs: number
  heardAt: number
}

/** A lost socket shows only after that long: one that the second try brings back is not told. */
export const GRACE_MS = 2_500

/** `socket`: on its way for the first time, up or lately so, or to be done without. */
type Facts = { socket: 'expected' | 'up' | 'down'; answered: boolean; heardAt: number }

// Whoever has just signed in was answered a moment ago.
const factsAtom = atom<Facts>({ socket: 'expected', answered: true, heardAt: Date.now() })

/** The time each second, only while somebody shows an age. */
const nowAtom = atom(Date.now())
nowAtom.onMount = (set) => {
  set(Date.now())
  const timer = setInterval(() => set(Date.now()), SECOND_MS)
  return () => clearInterval(timer)
}

/** The truth about the connection, for the header and for whatever shows figures. */
export const connectionAtom = atom<Connection>((get) => {
  const { socket, answered, heardAt } = get(factsAtom)
  if (socket === 'up') return { state: 'live', ageMs: 0, heardAt }
  if (socket === 'expected') return { state: 'connecting', ageMs: 0, heardAt }
  const ageMs = Math.max(0, get(nowAtom) - heardAt)
  return { state: answered ? 'polling' : 'offline', ageMs, heardAt }
})

const change = (facts: Partial<Facts>) => store.set(factsAtom, (old) => ({ ...old, ...facts }))

let grace: ReturnType<typeof setTimeout> | undefined

function endGrace(): void {
  clearTimeout(grace)
  grace = undefined
}

function beginGrace(): void {
  grace = setTimeout(() => {
    endGrace()
    change({ socket: 'down' })
  }, GRACE_MS)
}

/** Whether nobody was heard yet since the page was loaded. */
let silent = false

/** What is shown was kept by the device: that old, until somebody answers. */
export function showRestored(heardAt: number): void {
  silent = true
  change({ socket: 'down', answered: false, heardAt })
}

/** When the socket was last heard, real ms: it is noticed only later that it fell silent. */
let socketHeardAt = 0

/** The server's heartbeat came. */
export function socketActive(): void {
  socketHeardAt = Date.now()
}

/** The socket is up. */
export function socketUp(): void {
  silent = false
  socketActive()
  endGrace()
  change({ socket: 'up', answered: true, heardAt: Date.now() })
}

/** A member has signed in and the socket is on its way: it gets its grace before it counts as lost. */
export function socketExpected(): void {
  if (silent) return
  endGrace()
  change({ socket: 'expected', answered: true, heardAt: Date.now() })
  beginGrace()
}

/** The socket is down, or not up yet. */
export function socketDown(): void {
  if (store.get(factsAtom).socket === 'down' || grace !== undefined) return
  change({ answered: true, heardAt: socketHeardAt })
  beginGrace()
}

/** Sockets do not pass here: figures are asked for, from this moment on. */
export function socketBlocked(): void {
  endGrace()
  change({ socket: 'down' })
}

/** When a poll was last answered, real ms. */
let answeredAt = 0

/** Whether HTTP was answered since that time, real ms. */
export function answeredSince(at: number): boolean {
  return answeredAt >= at
}

const backListeners = new Set<() => void>()

/** Calls back when HTTP is answered again after it was not, until the returned function. */
export function onNetworkBack(back: () => void): () => void {
  backListeners.add(back)
  return () => backListeners.delete(back)
}

/** A poll came back, with an answer or without. */
export function pollAnswered(answered: boolean): void {
  const isBack = answered && !store.get(factsAtom).answered
  if (answered) {
    answeredAt = Date.now()
    silent = false
  }
  change(answered ? { answered, heardAt: Date.now() } : { answered })
  if (isBack) for (const back of backListeners) back()
}
