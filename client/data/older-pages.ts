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
      return rows?.next === before ? append(rows, page) : null
    })
  }

  return { rowsAtom, stateAtom: older.stateAtom, loadOlder }
}

function append<R extends Row, Cursor>(
  rows: Pages<R, Cursor>,
  page: Pages<R, Cursor>,
): Pages<R, Cursor> {
  const known = new Set(rows.items.map(({ id }) => id))
  const added = page.items.filter(({ id }) => !known.has(id))
  return { items: [...rows.items, ...added], next: page.next }
}

/**
 * Joins the newest page with the rows read before. The newest page moves on while older pages are
 * read. If more rows arrived than it holds, there is a gap: the older rows are dropped and read
 * again.
 */
export function joinRows<R extends Row, Cursor>(
  newest: Pages<R, Cursor>,
  read: Pages<R, Cursor> | null,
): Pages<R, Cursor> {
  if (!read) return newest
  const fresh = new Set(newest.items.map(({ id }) => id))
  const rest = read.items.filter(({ id }) => !fresh.has(id))
  const isContiguous = rest.length < read.items.length || read.items.length === 0
  return isContiguous ? { items: [...newest.items, ...rest], next: read.next } : newest
}
