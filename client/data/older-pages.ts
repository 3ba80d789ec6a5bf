import { atom, type Getter } from 'jotai'
import { currentUser, memberIdAtom } from './member-data.ts'
import { queryAtom, queryClient, signInAtom, store } from './query-cache.ts'

type OlderPagesState = 'idle' | 'loading' | 'failed'

type Row = { id: string | number }

type Pages<R extends Row, Cursor> = { items: R[]; next: Cursor | null }

/**
 * A list that is read page by page. Its older rows are one query per sign-in: a running read is shared, and the next
 * sign-in sees none of it.
 */
export function pagedList<R extends Row, Cursor, P extends Pages<R, Cursor>>(
  url: string,
  newestPage: (get: Getter) => P | undefined,
  readPage: (before: Cursor) => Promise<Pages<R, Cursor>>,
  join: (newest: P, read: P | null) => P = joinRows,
) {
  const keyFor = (memberId: number | undefined, signIn: number) =>
    [url, memberId, 'older', signIn] as const

  const olderQuery = queryAtom<P | null>((get) => ({
    queryKey: keyFor(get(memberIdAtom), get(signInAtom)),
    queryFn: () => null,
    // Only `loadOlder` reads.
    enabled: false,
  }))
  const olderAtom = atom((get) => get(olderQuery).data ?? null)

  const rowsAtom = atom((get) => {
    const newest = newestPage(get)
    return newest ? join(newest, get(olderAtom)) : null
  })

  const stateAtom = atom((get): OlderPagesState => {
    const { fetchStatus, isError } = get(olderQuery)
    if (fetchStatus === 'fetching') return 'loading'
    return isError ? 'failed' : 'idle'
  })

  async function readOlder(before: Cursor): Promise<P | null> {
    const page = await readPage(before)
    const rows = store.get(rowsAtom)
    // The older rows may have been dropped during the read; the page would leave a gap.
    if (rows?.next !== before) return null
    return { ...rows, items: [...rows.items, ...page.items], next: page.next }
  }

  /** Ignored while a read runs. */
  async function loadOlder(): Promise<void> {
    const before = store.get(rowsAtom)?.next
    const queryKey = keyFor(currentUser()?.id, store.get(signInAtom))
    if (!before || queryClient.isFetching({ queryKey, exact: true }) > 0) return
    const queryFn = async () =>
      (await readOlder(before)) ?? queryClient.getQueryData<P>(queryKey) ?? null
    await queryClient.fetchQuery({ queryKey, queryFn, staleTime: 0 }).catch(() => {
      // `stateAtom` shows it.
    })
    // The query client notifies the atoms in a 0 ms timer.
    await new Promise((resolve) => setTimeout(resolve, 0))
  }

  return { rowsAtom, stateAtom, loadOlder }
}

/**
 * The newest page replaces all rows down to its own last one, since several rows may have become one. Without that
 * row there is a gap: the older rows are dropped and read again.
 */
export function joinRows<P extends Pages<Row, unknown>>(newest: P, read: P | null): P {
  if (!read) return newest
  const last = newest.items.at(-1)?.id
  const at = read.items.findIndex(({ id }) => id === last)
  if (at < 0) return newest
  return { ...newest, items: [...newest.items, ...read.items.slice(at + 1)], next: read.next }
}
