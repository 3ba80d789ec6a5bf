import { currentLanguage } from '#client/language/language.ts'

/** A whole number in the language on the screen: `1,000`. */
export const countText = (count: number) =>
  new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: 0 }).format(count)
