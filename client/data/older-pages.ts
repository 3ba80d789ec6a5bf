import { atom } from 'jotai'
import type { ActivityPage } from '#rules/snapshots'
import { currentUser, memberIdAtom } from './member-data.ts'
import { queryAtom, queryClient, signInAtom, store } from './query-cache.ts'

type OlderPagesState = 'idle' | 'loading' | 'failed'

/**
 * What a list has read beyond its newest page, as one query per sign-in: a running read is shared,
 * and nothing of it is seen after the next sign-in.
 */
export function olderPages<R>(url: string) {
  const keyFor = (memberId: number | undefined, signIn: number) =>
    [url, memberId, 'older', signIn] as const

  const rowsQuery = queryAtom<R | null>((get) => ({
    queryKey: keyFor(get(memberIdAtom), get(signInAtom)),
    queryFn: () => null,
    // Only `load` reads.
    enabled: false,
  }))

  /**
   * Runs `read` unless a read is already running. It resolves to all rows including the new page,
   * or to null when the page no longer follows the rows on the screen.
   */
  async function load(read: () => Promise<R | null>): Promise<void> {
    const queryKey = keyFor(currentUser()?.id, store.get(signInAtom))
    if (queryClient.isFetching({ queryKey, exact: true }) > 0) return
    const queryFn = async () => (await read()) ?? queryClient.getQueryData<R>(queryKey) ?? null
    await queryClient.fetchQuery({ queryKey, queryFn, staleTime: 0 }).catch(() => {
      // `stateAtom` shows it.
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

/** Rows of a list, newest first, and the cursor of the next page. */
export type Pages<Row extends { id: string | number }, Cursor> = {
  items: Row[]
  next: Cursor | null
}

export type Rows = Pick<ActivityPage, 'items' | 'next'>

/**
 * Joins the newest page with the rows read before. The newest page moves on while older pages are
 * read. If more rows arrived than it holds, there is a gap: the older rows are dropped and read
 * again.
 */
export function joinRows<Row extends { id: string | number }, Cursor>(
  newest: Pages<Row, Cursor>,
  read: Pages<Row, Cursor> | null,
): Pages<Row, Cursor> {
  if (!read) return newest
  const fresh = new Set(newest.items.map(({ id }) => id))
  const rest = read.items.filter(({ id }) => !fresh.has(id))
  const isContiguous = rest.length < read.items.length || read.items.length === 0
  return isContiguous ? { items: [...newest.items, ...rest], next: read.next } : newest
}
