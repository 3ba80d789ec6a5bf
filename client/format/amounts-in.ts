import type { Language } from '#rules/members/languages'
import { display, fromUnits, isPositive, type Money, toUnits } from '#rules/money/money'

/** Decimals on the screen, by token (Specification §9: Wallet display). */
export const PLACES = { TESP: 4, USDT: 2 } as const

export type Token = keyof typeof PLACES

type Separators = { group: string; decimal: string }

/** Formatting by `Intl` is slow, and amounts are rendered each second. */
const known = new Map<Language, Separators>()

function separatorsOf(language: Language): Separators {
  const found = known.get(language)
  if (found) return found
  const parts = new Intl.NumberFormat(language).formatToParts(1_234_567.5)
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  const separators = { group: of('group'), decimal: of('decimal') }
  known.set(language, separators)
  return separators
}

/**
 * An exact decimal text with the separators of a language: `1,234.5000`. A number format would
 * round it.
 */
export function groupedIn(language: Language, text: string): string {
  const { group, decimal } = separatorsOf(language)
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
