import { atom } from 'jotai'
import { currentUser, memberIdAtom } from './member-data.ts'
import { queryAtom, queryClient } from './query-client.ts'

export type OlderPagesState = 'idle' | 'loading' | 'failed'

/**
 * What a list has read beyond its newest page, as one query per member: sharing of a read under way,
 * and the end with the sign-in, are those of the cache.
 */
export function olderPages<R>(url: string) {
  const keyFor = (memberId: number | undefined) => [url, memberId, 'older'] as const

  const rowsQuery = queryAtom<R | null>((get) => ({
    queryKey: keyFor(get(memberIdAtom)),
    queryFn: () => null,
    // Read by `load` alone.
    enabled: false,
    initialData: null,
  }))

  /**
   * Runs `read` unless a read is already running. It resolves to all rows including the new page,
   * or to null when the page no longer follows the rows on the screen.
   */
  async function load(read: () => Promise<R | null>): Promise<void> {
    const queryKey = keyFor(currentUser()?.id)
    if (queryClient.isFetching({ queryKey, exact: true }) > 0) return
    const queryFn = async () => (await read()) ?? queryClient.getQueryData<R>(queryKey) ?? null
    await queryClient.fetchQuery({ queryKey, queryFn, staleTime: 0 }).catch(() => {
      // The state of the query says so.
    })
    // The query client notifies the atoms in a 0 ms timer.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }

  return {
    rowsAtom: atom((get) => get(rowsQuery).data ?? null),
    stateAtom: atom((get): OlderPagesState => {
      const { fetchStatus, isError } = get(rowsQuery)
      if (fetchStatus === 'fetching') return 'loading'
      return isError ? 'failed' : 'idle'
    }),
    load,
  }
}
