import { call } from '#client/data/api.ts'
import { memberQuery } from '#client/data/member-data.ts'
import { i18n } from '#client/language/language.ts'
import type { IdentityCheck } from '#rules/members/account-snapshots'

export const IDENTITY_URL = '/api/user/kyc'

/** Retention of documents and the last rejection, read each time the panel opens. */
export const identityCheckAtom = memberQuery<IdentityCheck>(
  IDENTITY_URL,
  () => call('GET /api/user/kyc'),
  { staleTime: 0 },
)

/** How a document is stored; a dash stands for an unknown number of days. */
export function retentionText(days: number | undefined): string {
  if (days === undefined) return i18n.t('account:kyc.keptUnknown')
  return days === 0 ? i18n.t('account:kyc.notKept') : i18n.t('account:kyc.kept', { count: days })
}
