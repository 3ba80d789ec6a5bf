import { i18n } from '#client/language/language.ts'
import { descriptionText } from '#client/screens/wallet/activity/description-text.ts'
import { parseLedgerId } from '#rules/money/ledger-id'
import type { Activity } from '#rules/snapshots'

/**
 * Why a row was posted, in the language on the screen. An operator's correction states its reason in
 * its description.
 */
export function reasonOf({ id, description }: Activity): string {
  const fact = parseLedgerId(id)
  if (!fact || fact.kind === 'correction') return descriptionText(description)
  if (fact.kind !== 'milestone') return i18n.t(`wallet:receipt.reasons.${fact.kind}`)
  return i18n.t('wallet:receipt.reasons.milestone', { members: fact.fields.members })
}
