import { atom } from 'jotai'
import { activityAtom, memberIdAtom, readActivity, store } from '#client/data.ts'
import type { Activity, ActivityPage } from '#rules/snapshots'

/** Rows of the ledger, newest first, and the cursor of what follows them. */
export type Rows = Pick<ActivityPage, 'items' | 'next'>

/**
 * The newest page before the rows known so far. The newest page moves on while older ones are
 * being read; where more came meanwhile than it holds, the rows between are missing and the known
 * ones are dropped, to be read again.
 */
export function joinRows(newest: Rows, known: Rows | null): Rows {
  if (!known) return newest
  const fresh = new Set(newest.items.map(({ id }) => id))
  const rest = known.items.filter(({ id }) => !fresh.has(id))
  const touches = rest.length < known.items.length || known.items.length === 0
  return touches ? { items: [...newest.items, ...rest], next: known.next } : newest
}

type Older = { memberId: number | undefined; rows: Rows }
const olderAtom = atom<Older | null>(null)

/** All rows on the screen; null before the first answer. */
export const activityRowsAtom = atom<Rows | null>((get) => {
  const newest = get(activityAtom).data
  if (!newest) return null
  const older = get(olderAtom)
  return joinRows(newest, older?.memberId === get(memberIdAtom) ? (older?.rows ?? null) : null)
})

export const olderStateAtom = atom<'idle' | 'loading' | 'failed'>('idle')

function add(rows: Rows, page: ActivityPage): Rows {
  const known = new Set(rows.items.map(({ id }) => id))
  const more: Activity[] = page.items.filter(({ id }) => !known.has(id))
  return { items: [...rows.items, ...more], next: page.next }
}

/** Reads the page after the last row, unless that is under way or there is none. */
export async function loadOlder(): Promise<void> {
  const before = store.get(activityRowsAtom)?.next
  if (!before || store.get(olderStateAtom) === 'loading') return
  const memberId = store.get(memberIdAtom)
  store.set(olderStateAtom, 'loading')
  try {
    const page = await readActivity(before)
    const rows = store.get(activityRowsAtom)
    // Otherwise somebody else signed in, or the list was dropped and starts anew.
    if (rows?.next === before && store.get(memberIdAtom) === memberId) {
      store.set(olderAtom, { memberId, rows: add(rows, page) })
    }
    store.set(olderStateAtom, 'idle')
  } catch {
    store.set(olderStateAtom, 'failed')
  }
}
