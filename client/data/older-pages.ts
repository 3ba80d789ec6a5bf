import { atom, type Getter } from 'jotai'
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

type Row = { id: string | number }

/** Rows of a list, newest first, and the cursor of the next page. */
type Pages<R extends Row, Cursor> = { items: R[]; next: Cursor | null }

/** A list of the member: the newest page, which is a query, and the older ones read so far. */
export function pagedList<R extends Row, Cursor>(
  url: string,
  newestPage: (get: Getter) => Pages<R, Cursor> | undefined,
  readPage: (before: Cursor) => Promise<Pages<R, Cursor>>,
) {
  const older = olderPages<Pages<R, Cursor>>(url)

  /** All rows on the screen; null before the first answer. */
  const rowsAtom = atom((get) => {
    const newest = newestPage(get)
    return newest ? joinRows(newest, get(older.rowsAtom)) : null
  })

  /** Reads the page after the last row, unless a read is running or there is none. */
  async function loadOlder(): Promise<void> {
    const before = store.get(rowsAtom)?.next
    if (!before) return
    await older.load(async () => {
      const page = await readPage(before)
      const rows = store.get(rowsAtom)
      // The older rows may have been dropped during the read; the page would leave a gap.
      if (rows?.next !== before) return null
      return { items: [...rows.items, ...page.items], next: page.next }
    })
  }

  return { rowsAtom, stateAtom: older.stateAtom, loadOlder }
}

/**
 * Joins the newest page with the rows read before, at its last row: it replaces all down to there,
 * since several rows may have become one. Without that row (more rows arrived than a page holds, or
 * it is gone) there is a gap: the older rows are dropped and read again.
 */
export function joinRows<R extends Row, Cursor>(
  newest: Pages<R, Cursor>,
  read: Pages<R, Cursor> | null,
): Pages<R, Cursor> {
  if (!read) return newest
  const last = newest.items.at(-1)?.id
  const at = read.items.findIndex(({ id }) => id === last)
  if (at < 0) return newest
  return { items: [...newest.items, ...read.items.slice(at + 1)], next: read.next }
}
