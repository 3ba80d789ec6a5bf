import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query'
import { atom, createStore, type Getter } from 'jotai'
import { type AtomWithQueryOptions, atomWithQuery } from 'jotai-tanstack-query'
import type { MiningStatus } from '#rules/snapshots'
import { isSignedOut, onUnauthorized } from './api.ts'
import { newest } from './keep-newest.ts'
import { setClock } from './product-clock.ts'

export const USER_URL = '/api/user'
export const userKey = [USER_URL] as const

export const store = createStore()

function mergeSnapshot(known: unknown, next: unknown): unknown {
  const kept = newest(known, next)
  // The moment of arrival is part of the clock, so it is read here and not when a screen draws.
  if (kept !== known && isStatus(kept)) setClock(kept)
  return kept
}

function isStatus(data: unknown): data is MiningStatus {
  return typeof data === 'object' && data !== null && 'serverNow' in data
}

/** The cache rules of the specification (§7); every answer, poll and push lands through them. */
const CACHE_RULES = {
  queries: {
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
    // A browser that believes to be offline is asked to try: the error is shown, not a wait.
    networkMode: 'always',
    structuralSharing: mergeSnapshot,
  },
  mutations: { retry: false, networkMode: 'always' },
} as const

export const queryClient = new QueryClient({ defaultOptions: CACHE_RULES })

/** A failed refresh leaves what is known on the screen; only a first load can fail visibly. */
export async function readOrKeep<T>(queryKey: QueryKey, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const known = queryClient.getQueryData<T>(queryKey)
    if (known === undefined || isSignedOut(error)) throw error
    return known
  }
}

/**
 * A query as an atom. An atom that is not on the screen is not told of changes and would show, for
 * one frame of its next appearance, what it showed last; so it is marked to be read anew.
 */
export function queryAtom<T>(options: (get: Getter) => AtomWithQueryOptions<T>) {
  const missedAtom = atom(0)
  let shown: string | undefined
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryHash !== shown || query.getObserversCount() > 0) return
    store.set(missedAtom, (count) => count + 1)
  })
  return atomWithQuery<T>(
    (get) => {
      get(missedAtom)
      const chosen = options(get)
      shown = hashKey(chosen.queryKey)
      return chosen
    },
    () => queryClient,
  )
}

/** Asks again who is signed in, after a call was refused as anonymous. */
export function recheckUser(): void {
  // Once, however many calls are refused at the same moment.
  void queryClient.invalidateQueries({ queryKey: userKey }, { cancelRefetch: false })
}
onUnauthorized(recheckUser)
