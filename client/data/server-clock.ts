import { atom } from 'jotai'
import { SECOND_MS } from '#rules/constants'
import { CLOCK_SET_BACK_MS } from './query-cache.ts'

/** Real ms of the device, read each second while a component uses it. */
export const nowAtom = atom(Date.now())
nowAtom.onMount = (set) => {
  set(Date.now())
  const timer = setInterval(() => set(Date.now()), SECOND_MS)
  return () => clearInterval(timer)
}

/** How far the clock of the server is ahead of the device's, ms, as of the answer of `asOf`. */
let clock = { asOf: 0, aheadMs: 0 }

/** Real time of the server, ms: that of the device decides nothing. */
export const serverNow = () => Date.now() + clock.aheadMs

/** Sets the clock by the newest answer only: a repeated one tells a later `readAt` of an old moment. */
export function setServerClock(asOf: number, readAt: number): void {
  const olderBy = clock.asOf - asOf
  if (olderBy >= 0 && olderBy <= CLOCK_SET_BACK_MS) return
  // What the page holds counts as read a little later than now.
  clock = { asOf, aheadMs: asOf - Math.min(readAt, Date.now()) }
}
