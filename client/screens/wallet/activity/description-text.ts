import { i18n } from '#client/language/language.ts'

/** The descriptions that the ledger stores in English; the value of each is the text in the brackets. */
const DESCRIPTIONS = [
  ['wallet:row.correction', /^Correction: (.+)$/s],
  ['wallet:row.task', /^Task reward: (.+)$/],
  ['wallet:row.milestone', /^Team milestone: (\d+) members$/],
] as const

/** The description of a ledger row in the language on the screen; an operator's own words stay. */
export function descriptionText(description: string): string {
  for (const [key, pattern] of DESCRIPTIONS) {
    const value = pattern.exec(description)?.[1]
    if (value) return i18n.t(key, { value })
  }
  return description
}
