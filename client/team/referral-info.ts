import { atom } from 'jotai'
import { call } from '#client/api.ts'
import { queryClient } from '#client/cache.ts'
import { refresh } from '#client/data.ts'
import { memberQuery } from '#client/member-query.ts'

export const REFERRAL_URL = '/api/referral/info'

const infoAtom = memberQuery(REFERRAL_URL, () => call('GET /api/referral/info'), { staleTime: 0 })

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
