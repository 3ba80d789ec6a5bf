import type { QueryKey } from '@tanstack/react-query'
import { memberIdAtom, memberKey } from './member-data.ts'
import { queryAtom, readOrKeep } from './query-client.ts'

/**
 * Where a screen departs from the cache rules: how old, ms, what is known may be when it appears,
 * and how often, ms, it is read again while somebody looks.
 */
type Freshness = { staleTime?: number; refetchInterval?: number }

/** What the signed-in member reads at an address, for a screen of its own. */
export function memberQuery<T>(
  url: string,
  read: (queryKey: QueryKey) => Promise<T>,
  freshness: Freshness = {},
) {
  return queryAtom<T>((get) => {
    const memberId = get(memberIdAtom)
    const queryKey = memberKey(url, memberId)
    return {
      queryKey,
      queryFn: () => readOrKeep(queryKey, () => read(queryKey)),
      enabled: memberId !== undefined,
      ...freshness,
    }
  })
}
