import { atom } from 'jotai'
import { selectAtom } from 'jotai/utils'
import { MINUTE_MS, SECOND_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'
import { miningAtom } from './member-data.ts'

/** A demo clock: real time = `offsetMs + product time / speed`. */
export type DemoClock = { speed: number; offsetMs: number }

type Source = Pick<MiningStatus, 'serverNow' | 'speed' | 'asOf'>

/** The demo clock of a status; null where product time is real time. */
export function demoClockOf({ serverNow, speed, asOf }: Source): DemoClock | null {
  const productNow = Date.parse(serverNow)
  if (speed === 1 && Math.abs(productNow - asOf) < MINUTE_MS) return null
  return { speed, offsetMs: asOf - productNow / speed }
}

/** Later statuses of the same clock differ by the rounding of their times only. */
function isSameClock(a: DemoClock | null, b: DemoClock | null): boolean {
  if (!a || !b) return a === b
  return a.speed === b.speed && Math.abs(a.offsetMs - b.offsetMs) < SECOND_MS
}

const sourceAtom = atom((get) => {
  const status = get(miningAtom).data
  return status ? demoClockOf(status) : null
})

/** The demo clock that the server runs; null in production. */
export const demoClockAtom = selectAtom(sourceAtom, (clock) => clock, isSameClock)

/** Real time of a ledger row, ISO 8601: rows have product time, which a demo clock runs ahead of real dates. */
export function realTime(timestamp: string, clock: DemoClock | null): string {
  if (!clock) return timestamp
  return new Date(clock.offsetMs + Date.parse(timestamp) / clock.speed).toISOString()
}

/** The inverse of `realTime`; both in ms. */
export function productTime(realMs: number, clock: DemoClock | null): number {
  return clock ? (realMs - clock.offsetMs) * clock.speed : realMs
}
