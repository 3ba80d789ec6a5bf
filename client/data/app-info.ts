import type { Query } from '@tanstack/react-query'
import { atom } from 'jotai'
import type { Answers } from '#contract/routes'
import { MINUTE_MS, SECOND_MS } from '#rules/constants'
import { isOlder } from '#rules/version'
import { call } from './api.ts'
import { memberIdAtom, memberQueryKey, userAtom } from './member-data.ts'
import { APP_INFO_URL, queryAtom, queryClient } from './query-cache.ts'

declare global {
  /** The version in package.json, set by the build. */
  const __APP_VERSION__: string
}

/** How often a visible client reads the oldest supported version, real ms. */
export const APP_INFO_MS = 30 * MINUTE_MS
const RETRY_MS = 15 * SECOND_MS

/** Flags, task links and the oldest supported client version; read for visitors too. */
export const appInfoAtom = queryAtom<Answers['GET /api/app']>((get) => ({
  queryKey: memberQueryKey(APP_INFO_URL, get(memberIdAtom)),
  queryFn: () => call('GET /api/app', { query: { version: __APP_VERSION__ } }),
  // Flags depend on the member: wait until the user is known instead of reading twice.
  enabled: !get(userAtom).isPending,
  refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : APP_INFO_MS),
  staleTime: APP_INFO_MS,
}))

/** Reads an old answer again: the interval pauses while the page is hidden. */
export function rereadOldAppInfo(): void {
  const isOld = (query: Query) => query.isStaleByTime(APP_INFO_MS)
  const filters = { queryKey: [APP_INFO_URL], type: 'active', predicate: isOld } as const
  // Without `cancelRefetch` a read that the interval has just begun is enough.
  void queryClient.refetchQueries(filters, { cancelRefetch: false })
}

export const isOutdatedAtom = atom((get) => {
  const minimum = get(appInfoAtom).data?.minimumVersion
  return typeof minimum === 'string' && isOlder(__APP_VERSION__, minimum)
})

export const serviceLinksAtom = atom((get) => get(appInfoAtom).data?.links ?? {})

export const isKycOpenAtom = atom((get) => get(appInfoAtom).data?.flags.includes('kyc') ?? false)
