import {
  BASE_RATE,
  BOOST_PER_MEMBER,
  CREDIT_SLOTS,
  HOUR_MS,
  INTERVAL_MS,
  INTERVALS,
  SECOND_MS,
  SESSION_MS,
} from '#rules/constants'
import { fromUnits, type Money, sum, times, toUnits } from './money.ts'

/** Determines a token's earnings at any later time; `accrued` is undivided, so only the final figure is rounded. */
export type Accrual = {
  /** Tokens per hour, 8 places. */
  rate: Money
  /** Product time in ms from which `rate` applies. */
  since: number
  /** Σ rate × ms of all earlier rates: tokens per hour times milliseconds, 8 places, exact. */
  accrued: Money
}

/** Share of the base rate that a team of that size adds: `0.15` for 3 members (rules.md: Earning). */
export function boostOf(teamSize: number): Money {
  return times(fromUnits(BigInt(teamSize) * toUnits('1')), BOOST_PER_MEMBER)
}

/** TESP per hour with that boost: `0.1 × (1 + boost)`. */
export function hashRateOf(miningBoost: Money): Money {
  return times(BASE_RATE, sum('1', miningBoost))
}

/** Tokens earned until `at`, floored to 8 places; a time before `since` counts as `since`. */
export function earnedAt({ rate, since, accrued }: Accrual, at: number): Money {
  const ms = BigInt(Math.max(0, at - since))
  return fromUnits((toUnits(accrued) + toUnits(rate) * ms) / BigInt(HOUR_MS))
}

/** The accrual with a new rate from `at` on; earnings before `at` do not change. */
export function changeRate(accrual: Accrual, rate: Money, at: number): Accrual {
  const ms = BigInt(Math.max(0, at - accrual.since))
  const accrued = fromUnits(toUnits(accrual.accrued) + toUnits(accrual.rate) * ms)
  return { rate, since: Math.max(at, accrual.since), accrued }
}

/** Product time in ms at which interval `n` (1…72) of a session ends. */
export function intervalEnd(startedAt: number, n: number): number {
  return startedAt + n * INTERVAL_MS
}

/** Product time in ms at which a session's 24 hours end. */
export function sessionEnd(startedAt: number): number {
  return startedAt + SESSION_MS
}

/** `now` within the session and not before its last credit: a clock moved back cannot undo credited earnings. */
export function sessionTime(startedAt: number, creditedIntervals: number, now: number): number {
  return Math.min(Math.max(now, intervalEnd(startedAt, creditedIntervals)), sessionEnd(startedAt))
}

/** Number of intervals of a session that have ended by `now`: 0…72 for any clock. */
export function intervalsEnded(startedAt: number, now: number): number {
  return Math.min(INTERVALS, Math.max(0, Math.floor((now - startedAt) / INTERVAL_MS)))
}

/** The second of the 20-minute cycle (0…1199) in which a session's intervals end. */
export function creditSlot(startedAt: number): number {
  return Math.floor(startedAt / SECOND_MS) % CREDIT_SLOTS
}
