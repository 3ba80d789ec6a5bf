import { useAtomValue } from 'jotai'
import Inbox from 'lucide-react/icons/inbox'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownMark } from '#client/data/inbox-state.ts'
import { snapshotOf } from '#client/data/member-data.ts'
import { LoadError, StaleNote } from '#client/layout/connection-notes.tsx'
import { markRead } from '#client/live/inbox-read.ts'
import { LoadMore, SkeletonRows } from '#client/ui/load-more.tsx'
import { Panel } from '#client/ui/panel.tsx'
import type { InboxPage, InboxRow } from '#rules/inbox'
import { InboxEntry } from './inbox-entry.tsx'
import { entriesAtom, inboxAtom, inboxList, isRow } from './inbox-list.ts'

export function InboxScreen() {
  const { t } = useTranslation(['inbox', 'layout'])
  const query = useAtomValue(inboxAtom)
  useReadMark(query.data)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-lg">{t('layout:titles./inbox')}</h1>
        <StaleNote />
      </div>
      <p className="-mt-2 text-sm text-muted">{t('intro')}</p>
      {query.data ? (
        <Entries />
      ) : query.isError ? (
        <LoadError query={query} title={t('loadFailed')} text={t('loadFailedText')} />
      ) : (
        <Panel>
          <SkeletonRows text={t('loading')} count={4} />
        </Panel>
      )}
    </div>
  )
}

function useReadMark(page: InboxPage | undefined): void {
  useEffect(() => {
    if (!page) return
    const seen = {
      row: page.rows[0]?.id ?? 0,
      announcement: Math.max(0, ...page.announcements.map(({ id }) => id)),
    }
    const mark = () => {
      if (!document.hidden) markRead(seen)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [page])
}

const lastRead = () => {
  const { row, announcement } = ownMark()
  const known = snapshotOf('/api/inbox/state')?.readAnnouncement ?? 0
  return { row, announcement: Math.max(announcement, known) }
}

/** Keeps the rows that were unread when they first appeared: opening the screen reads all of them. */
function useUnread(rows: InboxRow[], lastRow: number): ReadonlySet<number> {
  const [unread, setUnread] = useState<ReadonlySet<number>>(new Set())
  const more = rows.filter(({ id, read }) => !read && id > lastRow && !unread.has(id))
  if (more.length > 0) setUnread(new Set([...unread, ...more.map(({ id }) => id)]))
  return unread
}

function Entries() {
  const { t } = useTranslation('inbox')
  const list = useAtomValue(entriesAtom)
  // As it was when the screen opened.
  const [before] = useState(lastRead)
  const unread = useUnread(list?.entries.filter(isRow) ?? [], before.row)
  if (!list || list.entries.length === 0) {
    return (
      <Panel className="flex flex-col items-center gap-3 py-12! text-center">
        <Inbox className="size-8 text-muted" strokeWidth={1.5} />
        <p className="font-medium">{t('empty')}</p>
        <p className="text-sm text-balance text-muted">{t('emptyText')}</p>
      </Panel>
    )
  }
  return (
    <Panel className="py-1!">
      <ul aria-label={t('list')}>
        {list.entries.map((entry) => (
          <InboxEntry
            key={`${isRow(entry) ? 'row' : 'announcement'}-${entry.id}`}
            entry={entry}
            unread={isRow(entry) ? unread.has(entry.id) : entry.id > before.announcement}
          />
        ))}
      </ul>
      {list.hasMore && <LoadMore list={inboxList} failedText={t('olderFailed')} />}
    </Panel>
  )
}
