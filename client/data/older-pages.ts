import { atom, type Getter } from 'jotai'
import { currentUser, memberIdAtom } from './member-data.ts'
import { queryAtom, queryClient, signInAtom, store } from './query-cache.ts'

type OlderPagesState = 'idle' | 'loading' | 'failed'

/** Older rows of a list, as one query per sign-in: a running read is shared, and the next sign-in sees none of it. */
export function olderPages<R>(url: string) {
  const keyFor = (memberId: number | undefined, signIn: number) =>
    [url, memberId, 'older', signIn] as const

  const rowsQuery = queryAtom<R | null>((get) => ({
    queryKey: keyFor(get(memberIdAtom), get(signInAtom)),
    queryFn: () => null,
    // Only `load` reads.
    enabled: false,
  }))

  /** Ignored while a read runs. `read` resolves to all rows with the new page, or to null if it left a gap. */
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

type Pages<R extends Row, Cursor> = { items: R[]; next: Cursor | null }

export function pagedList<R extends Row, Cursor>(
  url: string,
  newestPage: (get: Getter) => Pages<R, Cursor> | undefined,
  readPage: (before: Cursor) => Promise<Pages<R, Cursor>>,
) {
  const older = olderPages<Pages<R, Cursor>>(url)

  const rowsAtom = atom((get) => {
    const newest = newestPage(get)
    return newest ? joinRows(newest, get(older.rowsAtom)) : null
  })

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
 * The newest page replaces all rows down to its own last one, since several rows may have become one. Without that
 * row there is a gap: the older rows are dropped and read again.
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
