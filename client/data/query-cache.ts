import { hashKey, QueryClient, replaceEqualDeep } from '@tanstack/react-query'
import { atom, createStore, type Getter } from 'jotai'
import { type AtomWithQueryOptions, atomWithQuery } from 'jotai-tanstack-query'
import type { RouteName } from '#contract/routes'
import type { AsOf, MiningStatus } from '#rules/snapshots'
import { setProductClock } from './product-clock.ts'
import { isRecord } from './storage.ts'

/** The URL of a route that only reads. */
export type ReadUrl = { [R in RouteName]: R extends `GET ${infer Url}` ? Url : never }[RouteName]

/** First part of a key of the cache: the URL that answers the value. */
export type CacheUrl = ReadUrl | `${ReadUrl}?${string}`

export const APP_INFO_URL = '/api/app'
export const userQueryKey = ['/api/user'] as const

export const store = createStore()

/** Counts changes of the signed-in member: state that a screen holds is valid for one count. */
export const signInAtom = atom(0)

function mergeSnapshot(current: unknown, next: unknown): unknown {
  const kept = newest(current, next)
  // The clock is set on arrival, not when a component renders: the arrival time is part of it.
  if (kept !== current && isStatus(kept)) setProductClock(kept)
  return kept
}

const isStatus = (data: unknown): data is MiningStatus => isRecord(data) && 'serverNow' in data

/** The cache rules (Specification §7). Every answer, poll and push is merged under them. */
const CACHE_RULES = {
  queries: {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    // Requests are sent even when the browser reports offline: members see an error, not an endless wait.
    networkMode: 'always',
    structuralSharing: mergeSnapshot,
  },
  mutations: { retry: false, networkMode: 'always' },
} as const

export const queryClient = new QueryClient({ defaultOptions: CACHE_RULES })

/** `atomWithQuery` misses updates while not mounted and would show the old value for a frame, so they are counted. */
export function queryAtom<T>(options: (get: Getter) => AtomWithQueryOptions<T>) {
  const missedAtom = atom(0)
  let currentHash: string | undefined
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryHash !== currentHash) return
    if (query.getObserversCount() === 0) store.set(missedAtom, (count) => count + 1)
  })
  return atomWithQuery<T>(
    (get) => {
      get(missedAtom)
      const current = options(get)
      currentHash = hashKey(current.queryKey)
      return current
    },
    () => queryClient,
  )
}

/** A snapshot older than the current one by more than this, ms, proves that the database clock was set back. */
export const CLOCK_SET_BACK_MS = 60_000

const isSnapshot = (data: unknown): data is { asOf: AsOf } =>
  isRecord(data) && typeof data.asOf === 'number'

/** The newest of two values for a key wins: answers, polls and pushes arrive in any order, twice or late. */
export function newest(current: unknown, next: unknown): unknown {
  if (isSnapshot(current) && isSnapshot(next)) {
    const olderBy = current.asOf - next.asOf
    if (olderBy >= 0 && olderBy <= CLOCK_SET_BACK_MS) return current
  }
  return replaceEqualDeep(current, next)
}
