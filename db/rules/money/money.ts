/**
 * An exact decimal of 8 places: text in interfaces, whole units of 10⁻⁸ (`bigint`) in arithmetic,
 * never a `number` (rules.md: Money).
 */
export type Money = string

/** Decimal places. */
export const MONEY_PLACES = 8
const UNIT = 10n ** BigInt(MONEY_PLACES)

/** Units of 10⁻⁸ in a decimal such as `-12.5`. @throws {RangeError} unless it has at most 8 places */
export function toUnits(text: Money): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text)
  if (!match) throw new RangeError(`not an amount of money: ${text}`)
  const [, sign, whole = '0', fraction = ''] = match
  const units = BigInt(whole) * UNIT + BigInt(fraction.padEnd(MONEY_PLACES, '0'))
  return sign ? -units : units
}

/** The decimal text of units of 10⁻⁸, always with 8 places: `0.03333333`. */
export function fromUnits(units: bigint): Money {
  const digits = (units < 0n ? -units : units).toString().padStart(MONEY_PLACES + 1, '0')
  const sign = units < 0n ? '-' : ''
  return `${sign}${digits.slice(0, -MONEY_PLACES)}.${digits.slice(-MONEY_PLACES)}`
}

/** Exact sum of amounts; `0.00000000` without amounts. */
export function sum(...amounts: Money[]): Money {
  return fromUnits(amounts.reduce((total, amount) => total + toUnits(amount), 0n))
}

/** Exact difference `a − b`. */
export function minus(a: Money, b: Money): Money {
  return fromUnits(toUnits(a) - toUnits(b))
}

/** Product of an amount and a factor of at most 8 places, truncated towards zero to 8 places. */
export function times(amount: Money, factor: Money): Money {
  return fromUnits((toUnits(amount) * toUnits(factor)) / UNIT)
}

/** Whether the amount is greater than zero. */
export function isPositive(amount: Money): boolean {
  return toUnits(amount) > 0n
}

/** The amount truncated towards zero to that many places, for display only (rules.md: Money). */
export function display(amount: Money, places: number): string {
  const text = fromUnits(toUnits(amount))
  const cut = places === 0 ? text.slice(0, -9) : text.slice(0, text.length - 8 + places)
  return /^-0(\.0*)?$/.test(cut) ? cut.slice(1) : cut
}

/** The amount without trailing zeros, but with at least two places: `0.50`, `0.03333333`. */
export function compact(amount: Money): string {
  return fromUnits(toUnits(amount)).replace(/0{1,6}$/, '')
}
