import { atom } from 'jotai'
import { activityAtom, readActivity, signInAtom, store } from '#client/data/member-data.ts'
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

type Older = { rows: Rows | null; state: 'idle' | 'loading' | 'failed' }
const NOTHING_OLDER: Older = { rows: null, state: 'idle' }

/** What was read beyond the newest page, of the member who was signed in then. */
const readAtom = atom<Older & { signIn: number }>({ ...NOTHING_OLDER, signIn: 0 })
const olderAtom = atom<Older>((get) => {
  const read = get(readAtom)
  return read.signIn === get(signInAtom) ? read : NOTHING_OLDER
})

export const olderStateAtom = atom((get) => get(olderAtom).state)

/** All rows on the screen; null before the first answer. */
export const activityRowsAtom = atom<Rows | null>((get) => {
  const newest = get(activityAtom).data
  return newest ? joinRows(newest, get(olderAtom).rows) : null
})

function add(rows: Rows, page: ActivityPage): Rows {
  const known = new Set(rows.items.map(({ id }) => id))
  const more: Activity[] = page.items.filter(({ id }) => !known.has(id))
  return { items: [...rows.items, ...more], next: page.next }
}

/** Reads the page after the last row, unless that is under way or there is none. */
export async function loadOlder(): Promise<void> {
  const before = store.get(activityRowsAtom)?.next
  const known = store.get(olderAtom)
  if (!before || known.state === 'loading') return
  const signIn = store.get(signInAtom)
  const keep = (older: Older) => {
    if (store.get(signInAtom) === signIn) store.set(readAtom, { ...older, signIn })
  }
  keep({ ...known, state: 'loading' })
  try {
    const page = await readActivity(before)
    const rows = store.get(activityRowsAtom)
    // Otherwise the list was dropped meanwhile and starts anew.
    const fits = rows?.next === before
    keep({ rows: fits ? add(rows, page) : known.rows, state: 'idle' })
  } catch {
    keep({ ...known, state: 'failed' })
  }
}
