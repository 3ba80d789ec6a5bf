import { currentLanguage } from '#client/language/language.ts'
import type { Language } from '#rules/members/languages'
import { display, fromUnits, isPositive, type Money, toUnits } from '#rules/money/money'

/** Decimals on the screen, by token (Specification §9: Wallet display). */
const PLACES = { TESP: 4, USDT: 2 } as const

export type Token = keyof typeof PLACES

export const UNKNOWN = '–'

/** As `Intl` has them; the first `Intl.NumberFormat` of a page takes longer than the rest of its first amount. */
export const SEPARATORS: Record<Language, { group: string; decimal: string }> = {
  en: { group: ',', decimal: '.' },
  vi: { group: '.', decimal: ',' },
}

/** `1,234.5000`, in Vietnamese `1.234,5000`, of an exact decimal text, which a number format would round. */
export function grouped(text: string): string {
  const { group, decimal } = SEPARATORS[currentLanguage()]
  const [whole = '', ...fraction] = text.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, group), ...fraction].join(decimal)
}

/** A whole number: `1,234`. */
export const wholeText = (count: number): string => grouped(count.toFixed(0))

/** A balance with the decimals of its token, truncated. */
export const balanceText = (amount: Money, token: Token): string =>
  grouped(display(amount, PLACES[token]))

/** A balance text for a list; an amount too small for its decimals reads `<0.01`, not zero. */
export function amountText(amount: Money, token: Token): string {
  const isTooSmall = isPositive(amount) && toUnits(display(amount, PLACES[token])) === 0n
  return isTooSmall
    ? `<${grouped((10 ** -PLACES[token]).toFixed(PLACES[token]))}`
    : balanceText(amount, token)
}

export const signedText = (amount: Money, token: Token): string =>
  amount.startsWith('-') ? `−${amountText(amount.slice(1), token)}` : amountText(amount, token)

/** All eight decimals with the token: `1,234.56780000 TESP`. */
export const exactText = (amount: Money, token: Token): string =>
  `${grouped(fromUnits(toUnits(amount)))} ${token}`
