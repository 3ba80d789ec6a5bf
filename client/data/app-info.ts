import { atom } from 'jotai'
import { MINUTE_MS } from '#rules/constants'
import { isOlder } from '#rules/version'
import { call } from './api.ts'
import { memberIdAtom, memberKey, userAtom } from './member-data.ts'
import { queryAtom } from './query-client.ts'

export const APP_INFO_URL = '/api/app'
/** How often a visible client asks whether it is still new enough. */
export const APP_INFO_MS = 30 * MINUTE_MS

/** Flags, task links and the oldest version that may go on; for visitors too. */
export const appInfoAtom = queryAtom((get) => ({
  queryKey: memberKey(APP_INFO_URL, get(memberIdAtom)),
  queryFn: () => call('GET /api/app', { query: { version: __APP_VERSION__ } }),
  // Flags are a member's own: asked once it is known who is there, not once before and after.
  enabled: !get(userAtom).isPending,
  refetchInterval: APP_INFO_MS,
  // The interval rests while the page is hidden; whoever comes back later than that asks at once.
  refetchOnWindowFocus: true,
  staleTime: APP_INFO_MS,
}))

/** Whether this client is older than the server takes. */
export const isOutdatedAtom = atom((get) => {
  const minimum = get(appInfoAtom).data?.minimumVersion
  return typeof minimum === 'string' && isOlder(__APP_VERSION__, minimum)
})

/** Whether members hand in identity documents here. */
export const isKycOpenAtom = atom((get) => get(appInfoAtom).data?.flags.includes('kyc') ?? false)
