import type { QueryKey } from '@tanstack/react-query'
import { atom } from 'jotai'
import { REFERRAL_POLL_MS } from '#rules/constants'
import { memberQuery, OPENED, REFERRAL_URL } from './member-data.ts'
import { readWithEtag } from './read-with-etag.ts'
import { refreshUnlessRunning } from './refresh.ts'

const readInfo = (queryKey: QueryKey) => readWithEtag(queryKey, 'GET /api/referral/info')

const infoAtom = memberQuery(REFERRAL_URL, readInfo, OPENED)

/** The member's team for the dashboard, read each minute while it is visible (Specification §9). */
export const polledReferralAtom = memberQuery(REFERRAL_URL, readInfo, {
  staleTime: REFERRAL_POLL_MS,
  refetchInterval: REFERRAL_POLL_MS,
})

/** A page that becomes visible gets the focus too. */
const readOnFocus = () => void refreshUnlessRunning(REFERRAL_URL)

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
