import { atom } from 'jotai'
import { ACTIVITY_URL, activityAtom, readActivity, store } from '#client/data/member-data.ts'
import { joinRows, type Rows } from '#client/data/pages/activity-rows.ts'
import { olderPages } from '#client/data/pages/older-pages.ts'
import type { ActivityPage } from '#rules/snapshots'

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
