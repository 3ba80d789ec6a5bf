import { atom } from 'jotai'
import { SECOND_MS } from '#rules/constants'
import { store } from './data.ts'

/**
 * How the figures on the screen come: pushed (`live`), asked for (`polling`) or not at all
 * (`offline`). `ageMs` is how long ago the server was last heard; 0 while live.
 */
export type Connection = { state: 'live' | 'polling' | 'offline'; ageMs: number }

/** A lost socket shows only after that long: a gap of a second is nobody's business. */
export const GRACE_MS = 1_500

type Facts = { live: boolean; answered: boolean; heardAt: number }

const LIVE: Connection = { state: 'live', ageMs: 0 }

// Whoever has just signed in was answered a moment ago, and the socket gets its grace.
const factsAtom = atom<Facts>({ live: true, answered: true, heardAt: Date.now() })

/** The time each second, only while somebody shows an age. */
const nowAtom = atom(Date.now())
nowAtom.onMount = (set) => {
  set(Date.now())
  const timer = setInterval(() => set(Date.now()), SECOND_MS)
  return () => clearInterval(timer)
}

/** The truth about the connection, for the header and for whatever shows figures. */
export const connectionAtom = atom<Connection>((get) => {
  const { live, answered, heardAt } = get(factsAtom)
  if (live) return LIVE
  const ageMs = Math.max(0, get(nowAtom) - heardAt)
  return { state: answered ? 'polling' : 'offline', ageMs }
})

let grace: ReturnType<typeof setTimeout> | undefined

const change = (facts: Partial<Facts>) => store.set(factsAtom, (old) => ({ ...old, ...facts }))

/** The socket is up. */
export function socketUp(): void {
  clearTimeout(grace)
  grace = undefined
  change({ live: true, answered: true, heardAt: Date.now() })
}

/** A member has signed in and the socket is on its way: it gets its grace before it counts as lost. */
export function socketExpected(): void {
  socketUp()
  socketDown()
}

/** The socket is down, or not up yet. */
export function socketDown(): void {
  const { live } = store.get(factsAtom)
  if (!live || grace !== undefined) return
  change({ answered: true, heardAt: Date.now() })
  grace = setTimeout(() => {
    grace = undefined
    change({ live: false })
  }, GRACE_MS)
}

/** A poll came back, with an answer or without. */
export function polled(answered: boolean): void {
  change(answered ? { answered, heardAt: Date.now() } : { answered })
}
