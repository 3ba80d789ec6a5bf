import { numberFormat } from '#client/language/locale.ts'
import { display, fromUnits, isPositive, type Money, toUnits } from '#rules/money'

/** Decimals on the screen, by token (Specification §9: Wallet display). */
export const PLACES = { TESP: 4, USDT: 2 } as const

export type Token = keyof typeof PLACES

/** Shown in place of an unknown figure. */
export const UNKNOWN = '–'

const numbers = numberFormat({ useGrouping: true })

/** The separators of the language on the screen: `,` and `.` in English. */
function separators(): { group: string; decimal: string } {
  const parts = numbers().formatToParts(1_234_567.5)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { group: of('group'), decimal: of('decimal') }
}

/**
 * An exact decimal text in the language on the screen, with thousands separators: `1,234.5000`. A
 * number format would round it.
 */
export function grouped(text: string): string {
  const { group, decimal } = separators()
  const [whole = '', ...fraction] = text.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, group), ...fraction].join(decimal)
}

/** A whole number: `1,234`. */
export const wholeText = (count: number): string => numbers().format(count)

/** A balance with the decimals of its token, truncated. */
export function balanceText(amount: Money, token: Token): string {
  return grouped(display(amount, PLACES[token]))
}

/** A balance text for a list; an amount too small for its decimals reads `<0.01`, not zero. */
export function amountText(amount: Money, token: Token): string {
  const isTooSmall = isPositive(amount) && toUnits(display(amount, PLACES[token])) === 0n
  return isTooSmall
    ? `<${grouped((10 ** -PLACES[token]).toFixed(PLACES[token]))}`
    : balanceText(amount, token)
}

/** All eight decimals with the token: `1,234.56780000 TESP`. */
export function exactText(amount: Money, token: Token): string {
  return `${grouped(fromUnits(toUnits(amount)))} ${token}`
}
