import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { OPENED, routeQuery } from '#client/data/member-data.ts'
import { pagedList } from '#client/data/older-pages.ts'
import type { Announcement, InboxPage, InboxRow } from '#rules/inbox'

export const inboxAtom = routeQuery('/api/inbox', OPENED)

const pageOf = ({ rows, next }: InboxPage) => ({ items: rows, next })

export const inboxList = pagedList(
  '/api/inbox',
  (get) => {
    const newest = get(inboxAtom).data
    return newest && pageOf(newest)
  },
  async (before: number) => pageOf(await call('GET /api/inbox', { query: { before } })),
)

export type Entry = InboxRow | Announcement

export const isRow = (entry: Entry): entry is InboxRow => 'facts' in entry

/** Newest first. An announcement appears when the rows around it are loaded. */
export const entriesAtom = atom((get) => {
  const rows = get(inboxList.rowsAtom)
  if (!rows) return null
  const reached = rows.next === null ? '' : (rows.items.at(-1)?.at ?? '')
  const announcements = get(inboxAtom).data?.announcements ?? []
  const entries: Entry[] = [...rows.items, ...announcements.filter(({ at }) => at >= reached)]
  const byNewest = (a: Entry, b: Entry) => b.at.localeCompare(a.at)
  return { entries: entries.sort(byNewest), hasMore: rows.next !== null }
})
