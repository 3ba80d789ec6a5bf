import { atom } from 'jotai'
import { ACTIVITY_URL, activityAtom, readActivity, store } from '#client/data/member-data.ts'
import { olderPages } from '#client/data/older-pages.ts'
import type { ActivityPage } from '#rules/snapshots'

/** Rows of the ledger, newest first, and the cursor of the next page. */
export type Rows = Pick<ActivityPage, 'items' | 'next'>

/**
 * Joins the newest page with the rows read before. The newest page moves on while older pages are
 * read. If more rows arrived than it holds, there is a gap: the older rows are dropped and read
 * again.
 */
export function joinRows(newest: Rows, read: Rows | null): Rows {
  if (!read) return newest
  const fresh = new Set(newest.items.map(({ id }) => id))
  const rest = read.items.filter(({ id }) => !fresh.has(id))
  const isContiguous = rest.length < read.items.length || read.items.length === 0
  return isContiguous ? { items: [...newest.items, ...rest], next: read.next } : newest
}

const older = olderPages<Rows>(ACTIVITY_URL)

export const olderStateAtom = older.stateAtom

/** All rows on the screen; null before the first answer. */
export const activityRowsAtom = atom<Rows | null>((get) => {
  const newest = get(activityAtom).data
  return newest ? joinRows(newest, get(older.rowsAtom)) : null
})

function append(rows: Rows, page: ActivityPage): Rows {
  const known = new Set(rows.items.map(({ id }) => id))
  const added = page.items.filter(({ id }) => !known.has(id))
  return { items: [...rows.items, ...added], next: page.next }
}

/** Reads the page after the last row, unless a read is running or there is none. */
export async function loadOlder(): Promise<void> {
  const cursor = store.get(activityRowsAtom)?.next
  if (!cursor) return
  await older.load(async () => {
    const page = await readActivity(cursor)
    const rows = store.get(activityRowsAtom)
    // The older rows may have been dropped during the read; the page would leave a gap.
    return rows?.next === cursor ? append(rows, page) : null
  })
}
