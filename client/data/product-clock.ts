import { useEffect, useState } from 'react'
import { SECOND_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'

/** Product time = `offset + speed × performance.now()`, ms; `wallOffset` is wall clock − `performance.now()`. */
type Clock = { offset: number; speed: number; wallOffset: number }

/** How far a snapshot may lag on a slow network, real ms, before it turns the clock back. */
const MAX_LAG_MS = 20 * SECOND_MS
/** Difference of the two clocks of a browser, real ms, from which on it slept or was set. */
const DRIFT_MS = 2 * SECOND_MS

let clock: Clock | null = null
/** `performance.now()` of the first of the statuses in a row that lag; null if the last one did not. */
let lagsSince: number | null = null

/**
 * Latency makes a snapshot lag and never lead, so the latest product time is the most exact one and figures never
 * run backwards. If all lag for `MAX_LAG_MS`, it was the clock that led.
 */
export function setProductClock({
  serverNow,
  speed,
}: Pick<MiningStatus, 'serverNow' | 'speed'>): void {
  if (clock && hasSlept()) clock = null
  const wallOffset = Date.now() - performance.now()
  const offset = Date.parse(serverNow) - speed * performance.now()
  const lag = clock?.speed === speed ? (clock.offset - offset) / speed : Number.POSITIVE_INFINITY
  lagsSince = lag > DRIFT_MS ? (lagsSince ?? performance.now()) : null
  const led = lagsSince !== null && performance.now() - lagsSince > MAX_LAG_MS
  if (lag >= 0 && lag <= MAX_LAG_MS && !led) return
  clock = { offset, speed, wallOffset }
  lagsSince = null
}

/** Real ms by which the wall clock has left `performance.now()` behind since the last status. */
const driftOf = ({ wallOffset }: Clock) => Date.now() - performance.now() - wallOffset

/** Whether the machine slept or its clock was set: some browsers stop `performance.now()` during sleep. */
export const hasSlept = () => clock !== null && Math.abs(driftOf(clock)) > DRIFT_MS

/** Product time in whole ms, also after the machine has slept; null before the first status. */
export function productNow(): number | null {
  if (!clock) return null
  const drift = driftOf(clock)
  // A clock that was set back is no sleep.
  const sleptMs = drift > DRIFT_MS ? drift : 0
  return Math.floor(clock.offset + clock.speed * (performance.now() + sleptMs))
}

/** Real ms until the next whole step of product time, so that no second is skipped. */
function untilNextTick(everyMs: number, phase: number): number {
  const now = productNow()
  if (!clock || now === null || clock.speed > 1) return everyMs
  const into = (((now - phase) % everyMs) + everyMs) % everyMs
  return everyMs - into + 5
}

/** Product time, ms, while the page is visible; null before the first status. Updates at `phase + n × everyMs`. */
export function useProductNow(everyMs: number, phase = 0): number | null {
  const [, tick] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = () => {
      clearTimeout(timer)
      if (document.hidden) return
      tick((count) => count + 1)
      timer = setTimeout(run, untilNextTick(everyMs, phase))
    }
    timer = setTimeout(run, untilNextTick(everyMs, phase))
    document.addEventListener('visibilitychange', run)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', run)
    }
  }, [everyMs, phase])
  return productNow()
}
