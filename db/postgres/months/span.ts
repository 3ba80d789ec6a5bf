import { DAY_MS } from '#rules/constants'

/** A stretch of time that one partition of the ledger holds: its name and its bounds, ISO times. */
export type Span = { name: string; from: string; to: string }

const LEDGER = 'wallet_activity_'
const NAME = new RegExp(`^${LEDGER}(\\d{3,4}|\\d{6,8})$`)

/**
 * Digits in the name of a partition: days, ten days of a month, months, years, decades. A coarser
 * partition is named by the digits that its days share: `20261121`, `2026112`, `202611`, `2026`, `202`.
 */
export const LENGTHS = [8, 7, 6, 4, 3] as const

/** First day and the day after the last one, ms. */
function boundsOf(digits: string): [number, number] {
  const year = Number(digits.slice(0, 4).padEnd(4, '0'))
  const month = Number(digits.slice(4, 6)) - 1
  const tens = Number(digits.slice(6, 7)) * 10
  switch (digits.length) {
    case 3:
      return [Date.UTC(year, 0), Date.UTC(year + 10, 0)]
    case 4:
      return [Date.UTC(year, 0), Date.UTC(year + 1, 0)]
    case 6:
      return [Date.UTC(year, month), Date.UTC(year, month + 1)]
    case 7:
      return [
        Date.UTC(year, month, tens || 1),
        Math.min(Date.UTC(year, month, tens + 10), Date.UTC(year, month + 1)),
      ]
    default: {
      const day = Date.UTC(year, month, Number(digits.slice(6)))
      return [day, day + DAY_MS]
    }
  }
}

/** Digits of a partition's name; none for the default one. */
export const digitsOf = (name: string) => NAME.exec(name)?.[1]

/** The span of the partition of that name; undefined for the default one. */
export function spanNamed(name: string): Span | undefined {
  const digits = digitsOf(name)
  if (!digits) return undefined
  const [from, to] = boundsOf(digits)
  return { name, from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}

/** Names of the partitions that may hold the rows of a day, the finest first. */
export const namesOver = (day: string) =>
  LENGTHS.map((length) => day.slice(0, LEDGER.length + length))
