import type { Language } from '#rules/members/languages'
import { display, fromUnits, isPositive, type Money, toUnits } from '#rules/money/money'

/** Decimals on the screen, by token (Specification §9: Wallet display). */
export const PLACES = { TESP: 4, USDT: 2 } as const

export type Token = keyof typeof PLACES

/** As `Intl` has them; the first `Intl.NumberFormat` of a page takes longer than the rest of its first amount. */
export const SEPARATORS: Record<Language, { group: string; decimal: string }> = {
  en: { group: ',', decimal: '.' },
  vi: { group: '.', decimal: ',' },
}

/**
 * An exact decimal text with the separators of a language: `1,234.5000`. A number format would
 * round it.
 */
export function groupedIn(language: Language, text: string): string {
  const { group, decimal } = SEPARATORS[language]
  const [whole = '', ...fraction] = text.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, group), ...fraction].join(decimal)
}

/** A balance with the decimals of its token, truncated. */
export function balanceTextIn(language: Language, amount: Money, token: Token): string {
  return groupedIn(language, display(amount, PLACES[token]))
}

/** A balance text for a list; an amount too small for its decimals reads `<0.01`, not zero. */
export function amountTextIn(language: Language, amount: Money, token: Token): string {
  const isTooSmall = isPositive(amount) && toUnits(display(amount, PLACES[token])) === 0n
  return isTooSmall
    ? `<${groupedIn(language, (10 ** -PLACES[token]).toFixed(PLACES[token]))}`
    : balanceTextIn(language, amount, token)
}

/** All eight decimals with the token: `1,234.56780000 TESP`. */
export function exactTextIn(language: Language, amount: Money, token: Token): string {
  return `${groupedIn(language, fromUnits(toUnits(amount)))} ${token}`
}
