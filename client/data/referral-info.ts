import { atom } from 'jotai'
import { REFERRAL_POLL_MS } from '#rules/constants'
import { memberQuery, OPENED } from './member-data.ts'
import { readWithEtag } from './read-with-etag.ts'
import { refreshUnlessRunning } from './refresh.ts'

const infoAtom = memberQuery('/api/referral/info', readWithEtag, OPENED)

/** The member's team for the dashboard, read each minute while it is visible (Specification §9). */
export const polledReferralAtom = memberQuery('/api/referral/info', readWithEtag, {
  staleTime: REFERRAL_POLL_MS,
  refetchInterval: REFERRAL_POLL_MS,
})

/** A page that becomes visible gets the focus too. */
const readOnFocus = () => void refreshUnlessRunning('/api/referral/info')

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
