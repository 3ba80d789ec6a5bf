import { currentLanguage } from '#client/language/language.ts'
import type { Money } from '#rules/money/money'
import { amountTextIn, balanceTextIn, exactTextIn, groupedIn, type Token } from './amounts-in.ts'

/** Figures in the language on the screen. */

export { PLACES, type Token } from './amounts-in.ts'

/** Shown in place of an unknown figure. */
export const UNKNOWN = '–'

/** An exact decimal text with thousands separators: `1,234.5000`, in Vietnamese `1.234,5000`. */
export const grouped = (text: string): string => groupedIn(currentLanguage(), text)

/** A whole number: `1,234`. */
export const wholeText = (count: number): string => grouped(count.toFixed(0))

/** A balance with the decimals of its token, truncated. */
export const balanceText = (amount: Money, token: Token): string =>
  balanceTextIn(currentLanguage(), amount, token)

/** A balance text for a list; an amount too small for its decimals reads `<0.01`, not zero. */
export const amountText = (amount: Money, token: Token): string =>
  amountTextIn(currentLanguage(), amount, token)

/** All eight decimals with the token: `1,234.56780000 TESP`. */
export const exactText = (amount: Money, token: Token): string =>
  exactTextIn(currentLanguage(), amount, token)
