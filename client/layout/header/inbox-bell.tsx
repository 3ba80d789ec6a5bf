import Bell from 'lucide-react/icons/bell'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { optionalComponent } from '#client/first-load/lazy-component.tsx'
import { whenIdle } from '#client/first-load/when-idle.ts'

/** What depends on the inbox is loaded when the page is idle: the first screen waits for none of it. */
const loadNews = () => whenIdle().then(() => import('#client/layout/inbox-news.tsx'))
const UnreadMark = optionalComponent(loadNews, 'UnreadMark')
const Announcements = optionalComponent(loadNews, 'Announcements')

export function InboxBell() {
  const { t } = useTranslation('layout')
  return (
    <Link
      href="/inbox"
      // Large text does not enlarge it, so that it stays in the row of the connection and the menu.
      className="relative -mx-1.5 inline-flex size-[min(2.75rem,14vw)] shrink-0 items-center justify-center rounded-full text-muted transition hover:text-ink"
    >
      <Bell className="size-5" strokeWidth={1.75} />
      <span className="sr-only">{t('titles./inbox')}</span>
      <Late of={UnreadMark} />
    </Link>
  )
}

export const LateAnnouncements = () => <Late of={Announcements} />

function Late({ of: Component }: { of: typeof UnreadMark }) {
  const [isRendered, setRendered] = useState(false)
  // Not in the shells of the build.
  useEffect(() => setRendered(true), [])
  return isRendered && <Component fallback={null} />
}
