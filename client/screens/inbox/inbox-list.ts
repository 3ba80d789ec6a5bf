import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { INBOX_URL, memberQuery } from '#client/data/member-data.ts'
import { joinRows, olderPages, type Pages } from '#client/data/older-pages.ts'
import { store } from '#client/data/query-cache.ts'
import type { Announcement, InboxPage, InboxRow } from '#rules/inbox'

/** The newest page, read whenever the screen opens. */
export const inboxAtom = memberQuery<InboxPage>(INBOX_URL, () => call('GET /api/inbox'), {
  staleTime: 0,
})

type Rows = Pages<InboxRow, number>

const older = olderPages<Rows>(INBOX_URL)

export const olderStateAtom = older.stateAtom

/** All rows on the screen; null before the first answer. */
const rowsAtom = atom<Rows | null>((get) => {
  const newest = get(inboxAtom).data
  return newest ? joinRows({ items: newest.rows, next: newest.next }, get(older.rowsAtom)) : null
})

type Entry = { key: string; at: string } & (
  | { row: InboxRow; announcement?: undefined }
  | { announcement: Announcement; row?: undefined }
)

/** Rows and announcements, newest first. An announcement appears when the rows around it are read. */
export const entriesAtom = atom((get) => {
  const rows = get(rowsAtom)
  if (!rows) return null
  const reached = rows.next === null ? '' : (rows.items.at(-1)?.at ?? '')
  const announcements = get(inboxAtom).data?.announcements ?? []
  const entries: Entry[] = [
    ...rows.items.map((row) => ({ key: `row-${row.id}`, at: row.at, row })),
    ...announcements
      .filter(({ at }) => at >= reached)
      .map((announcement) => ({
        key: `announcement-${announcement.id}`,
        at: announcement.at,
        announcement,
      })),
  ]
  const byNewest = (a: Entry, b: Entry) => b.at.localeCompare(a.at)
  return { entries: entries.sort(byNewest), hasMore: rows.next !== null }
})

/** Reads the page after the last row, unless a read is running or there is none. */
export async function loadOlder(): Promise<void> {
  const before = store.get(rowsAtom)?.next
  if (!before) return
  await older.load(async () => {
    const page = await call('GET /api/inbox', { query: { before } })
    const rows = store.get(rowsAtom)
    // The older rows may have been dropped during the read; the page would leave a gap.
    if (rows?.next !== before) return null
    return { items: [...rows.items, ...page.rows], next: page.next }
  })
}
