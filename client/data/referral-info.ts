import type { QueryKey } from '@tanstack/react-query'
import { atom } from 'jotai'
import { REFERRAL_POLL_MS } from '#rules/constants'
import type { ReferralInfo } from '#rules/snapshots'
import { currentUser, memberKey, refresh } from './member-data.ts'
import { memberQuery } from './member-query.ts'
import { queryClient } from './query-client.ts'
import { readWithEtag } from './read-with-etag.ts'

export const REFERRAL_URL = '/api/referral/info'

/** What is known of the signed-in member's team. */
export const knownTeam = () =>
  queryClient.getQueryData<ReferralInfo>(memberKey(REFERRAL_URL, currentUser()?.id))

const readInfo = (queryKey: QueryKey) => readWithEtag(queryKey, 'GET /api/referral/info')

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
