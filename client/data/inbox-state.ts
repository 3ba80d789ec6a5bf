import { atom } from 'jotai'
import { type Announced, hasUnread, type ReadMark } from '#rules/inbox'
import { currentUser, memberIdAtom, memberQuery, memberQueryKey } from './member-data.ts'
import { queryAtom, store } from './query-cache.ts'
import { readWithEtag } from './read-with-etag.ts'
import { nowAtom, serverNow, setServerClock } from './server-clock.ts'
import { storage } from './storage.ts'

const readStateAtom = memberQuery('/api/inbox/state', readWithEtag)

/** Only a push fills it. */
const announcedAtom = queryAtom<Announced | null>((get) => ({
  queryKey: memberQueryKey('announced', get(memberIdAtom)),
  queryFn: () => null,
  enabled: false,
}))

/** How far this browser has shown the inbox; `sent` once the server knows. */
type StoredMark = ReadMark & { sent: boolean }

const NOTHING_READ: StoredMark = { row: 0, announcement: 0, sent: true }

export function ownMark(): StoredMark {
  const stored = storage.readFor(currentUser()?.id ?? 0, 'inboxRead')
  return { ...NOTHING_READ, ...(stored as StoredMark | undefined) }
}

const markChangesAtom = atom(0)
const markChanged = () => store.set(markChangesAtom, (count) => count + 1)
markChangesAtom.onMount = () => storage.onOtherTab('inboxRead', markChanged)

export function storeMark(memberId: number, mark: StoredMark): void {
  storage.writeFor(memberId, 'inboxRead', mark)
  markChanged()
}

/** What is unread, open announcements and what this browser has shown; undefined before the first answer. */
export const inboxStateAtom = atom((get) => {
  get(markChangesAtom)
  const { data: state, dataUpdatedAt } = get(readStateAtom)
  const announced = get(announcedAtom).data
  if (!state) return undefined
  setServerClock(state.asOf, dataUpdatedAt)
  const { announcements } = announced && announced.asOf > state.asOf ? announced : state
  return { ...state, announcements, mark: ownMark() }
})

export const isUnreadAtom = atom((get) => {
  const state = get(inboxStateAtom)
  if (!state || !hasUnread(state, serverNow(), state.mark)) return false
  // An unread announcement may end.
  if (state.announcements.length > 0) get(nowAtom)
  return true
})

/** The announcements that are banners until the member has read them, newest first. */
export const bannersAtom = atom((get) => {
  const { announcements = [], readAnnouncement = 0, mark } = get(inboxStateAtom) ?? {}
  const lastRead = Math.max(readAnnouncement, mark?.announcement ?? 0)
  return announcements.filter(({ id, kind }) => id > lastRead && kind !== 'news').reverse()
})
