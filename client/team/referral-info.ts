import type { QueryKey } from '@tanstack/react-query'
import { atom } from 'jotai'
import { queryClient } from '#client/cache.ts'
import { currentUser, memberKey, refresh } from '#client/data.ts'
import { memberQuery } from '#client/member-query.ts'
import { readTagged } from '#client/tagged.ts'
import { REFERRAL_POLL_MS } from '#rules/constants'
import type { ReferralInfo } from '#rules/snapshots'

export const REFERRAL_URL = '/api/referral/info'

/** What is known of the signed-in member's team. */
export const knownTeam = () =>
  queryClient.getQueryData<ReferralInfo>(memberKey(REFERRAL_URL, currentUser()?.id))

const readInfo = (queryKey: QueryKey) => readTagged(queryKey, 'GET /api/referral/info')

const infoAtom = memberQuery(REFERRAL_URL, readInfo, { staleTime: 0 })

/** The same for the dashboard, which asks each minute while somebody looks (Specification §9). */
export const polledReferralAtom = memberQuery(REFERRAL_URL, readInfo, {
  staleTime: REFERRAL_POLL_MS,
  refetchInterval: REFERRAL_POLL_MS,
})

/** Where the page comes back into view it is read anyway; that answer serves both. */
function readOnFocus() {
  if (queryClient.isFetching({ queryKey: [REFERRAL_URL] }) === 0) void refresh(REFERRAL_URL)
}

const focusAtom = atom(null)
focusAtom.onMount = () => {
  window.addEventListener('focus', readOnFocus)
  return () => window.removeEventListener('focus', readOnFocus)
}

/** The member's team: always stale, and read again when the window gets the focus (§7). */
export const referralAtom = atom((get) => {
  get(focusAtom)
  return get(infoAtom)
})
