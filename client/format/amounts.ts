import { compact, display, isPositive, type Money, toUnits } from '#rules/money'

/** Decimals on the screen, by token (Specification §9: Wallet display). */
export const PLACES = { TESP: 4, USDT: 2 } as const

export type Token = keyof typeof PLACES

/** What stands where a figure is not known. */
export const UNKNOWN = '–'

/** A balance as the specification wants it: TESP with 4 decimals, USDT with 2, cut towards zero. */
export function balanceText(amount: Money, token: Token): string {
  return display(amount, PLACES[token])
}

/** The same for a single movement, but one too small for it is told in full instead of as zero. */
export function amountText(amount: Money, token: Token): string {
  const text = balanceText(amount, token)
  return toUnits(text) === 0n && isPositive(amount) ? compact(amount) : text
}
