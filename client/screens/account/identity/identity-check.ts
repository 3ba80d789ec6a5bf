import { call } from '#client/data/api.ts'
import { memberQuery } from '#client/data/member-data.ts'
import type { IdentityCheck } from '#rules/snapshots'

export const IDENTITY_URL = '/api/user/kyc'

/** Retention of documents and the last rejection, read each time the panel opens. */
export const identityCheckAtom = memberQuery<IdentityCheck>(
  IDENTITY_URL,
  () => call('GET /api/user/kyc'),
  { staleTime: 0 },
)

/** When a document is deleted; a dash stands for an unknown number of days. */
export function retentionText(days: number | undefined): string {
  if (days === 0) return 'deleted as soon as it is decided on'
  return `deleted ${days ?? '–'} ${days === 1 ? 'day' : 'days'} after the decision`
}
