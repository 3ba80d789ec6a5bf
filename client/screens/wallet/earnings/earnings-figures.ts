import { dateFormat } from '#client/format/dates.ts'
import { isPositive, type Money, sum, toUnits } from '#rules/money/money'
import type { EarningsDay } from '#rules/snapshots'

/** Lengths of a period, UTC days. */
export const PERIODS = [7, 30, 90] as const

/** `Mar 1`: a UTC day. */
export const shortDayText = dateFormat(
  { day: 'numeric', month: 'short', timeZone: 'UTC' },
  { vi: { day: 'numeric', month: 'numeric', timeZone: 'UTC' } },
)

/** The sources of TESP, from the bottom of a bar to its top. Corrections are a source of the ledger only. */
const SOURCES = ['mining', 'team', 'rewards', 'other'] as const
export type Source = (typeof SOURCES)[number]

export const tespOf = (day: EarningsDay): Money => sum(...SOURCES.map((source) => day[source]))

export const usdtOf = ({ usdt }: EarningsDay): Money => usdt

export const isZero = (amount: Money): boolean => /^-?[0.]+$/.test(amount)

/** Whether the ledger has rows of the day, as far as their sums show. */
export const hasRows = (day: EarningsDay): boolean =>
  [...SOURCES, 'usdt' as const].some((share) => !isZero(day[share]))

/** The sources of a table or chart: most members never have a correction. */
export const sourcesOf = (days: EarningsDay[]): Source[] =>
  SOURCES.filter((source) => source !== 'other' || !days.every(({ other }) => isZero(other)))

/** A correction is not earned, and a day's USDT may be one. */
const isEarned = ({ mining, team, rewards }: EarningsDay): boolean =>
  [mining, team, rewards].some(isPositive)

/** Up to today, or to yesterday while today has none; `isOpen` if days before those read may belong to it. */
export function streakOf(days: EarningsDay[]): { count: number; isOpen: boolean } {
  const today = days.at(-1)
  const ended = today && !isEarned(today) ? days.slice(0, -1) : days
  const gap = ended.findLastIndex((day) => !isEarned(day))
  return { count: ended.length - 1 - gap, isOpen: ended.length > 0 && gap === -1 }
}

type AmountOf = (day: EarningsDay) => Money

export const sumOf = (days: EarningsDay[], amountOf: AmountOf): Money => sum(...days.map(amountOf))

/** The latest of equal days; undefined if none has any. `days` is not empty. */
export function bestOf(days: EarningsDay[], amountOf: AmountOf) {
  const best = days
    .map((day) => ({ day: day.day, amount: amountOf(day) }))
    .reduce((one, other) => (toUnits(other.amount) < toUnits(one.amount) ? one : other))
  return isPositive(best.amount) ? best : undefined
}
