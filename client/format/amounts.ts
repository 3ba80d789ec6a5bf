import { compact, display, isPositive, type Money, toUnits } from '#rules/money'

/** Decimals on the screen, by token (Specification §9: Wallet display). */
export const PLACES = { TESP: 4, USDT: 2 } as const

export type Token = keyof typeof PLACES

/** Shown in place of an unknown figure. */
export const UNKNOWN = '–'

/** A balance with the decimals of its token, truncated. */
export function balanceText(amount: Money, token: Token): string {
  return display(amount, PLACES[token])
}

/** A balance text for one movement; a movement that would show as zero keeps all its decimals. */
export function amountText(amount: Money, token: Token): string {
  const text = balanceText(amount, token)
  return toUnits(text) === 0n && isPositive(amount) ? compact(amount) : text
}
