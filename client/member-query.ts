import { keepKnown, queryAtom } from './cache.ts'
import { memberIdAtom, memberKey } from './data.ts'

/** Where a screen departs from the cache rules: how old, ms, what is known may be when it appears. */
type Freshness = { staleTime?: number }

/** What the signed-in member reads at an address, for a screen of its own. */
export function memberQuery<T>(url: string, read: () => Promise<T>, freshness: Freshness = {}) {
  return queryAtom<T>((get) => {
    const memberId = get(memberIdAtom)
    const queryKey = memberKey(url, memberId)
    return {
      queryKey,
      queryFn: () => keepKnown(queryKey, read),
      enabled: memberId !== undefined,
      ...freshness,
    }
  })
}
