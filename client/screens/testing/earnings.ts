import { DAY_MS } from '#rules/constants'
import type { EarningsDay } from '#rules/snapshots'

type Shares = Partial<Omit<EarningsDay, 'day'>>

const NONE = '0.00000000'

/** A UTC day that brought nothing but these shares. */
export const aDay = (day: string, shares: Shares = {}): EarningsDay => ({
  day,
  mining: NONE,
  team: NONE,
  rewards: NONE,
  other: NONE,
  usdt: NONE,
  ...shares,
})

/** So many UTC days up to `last`, with the shares of each by its position. */
export const daysUntil = (last: string, count: number, sharesOf: (nth: number) => Shares) =>
  Array.from({ length: count }, (_, nth) => {
    const at = Date.parse(last) - (count - 1 - nth) * DAY_MS
    return aDay(new Date(at).toISOString().slice(0, 10), sharesOf(nth))
  })
