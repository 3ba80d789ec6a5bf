import { numberFormat } from '#client/language/locale.ts'

const whole = numberFormat({ maximumFractionDigits: 0 })

/** A whole number in the language on the screen: `1,000`. */
export const countText = (count: number) => whole().format(count)
