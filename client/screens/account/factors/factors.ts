import { call } from '#client/data/api.ts'
import { currentUser, memberKey, memberQuery } from '#client/data/member-data.ts'
import { queryClient } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import type { SignInFactors } from '#rules/members/account-snapshots'

const FACTORS_URL = '/api/user/factors'

/** Passkeys and authenticator app of the member, read each time the screen opens. */
export const factorsAtom = memberQuery(FACTORS_URL, () => call('GET /api/user/factors'), {
  staleTime: 0,
})

/** Reads them again. */
export const refreshFactors = () => refresh(FACTORS_URL)

/** Shows what the server has answered to a change. */
export function showFactors(factors: SignInFactors): void {
  queryClient.setQueryData(memberKey(FACTORS_URL, currentUser()?.id), factors)
}
