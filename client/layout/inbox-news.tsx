import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { bannersAtom, isUnreadAtom } from '#client/data/inbox-state.ts'
import { optionalComponent } from '#client/first-load/lazy-component.tsx'

export function UnreadMark() {
  const { t } = useTranslation('layout')
  if (!useAtomValue(isUnreadAtom)) return null
  return (
    <>
      <span className="sr-only">{t('inboxUnread')}</span>
      <span className="absolute top-[18%] right-[18%] size-3 rounded-full border-2 border-ground bg-amber" />
    </>
  )
}

/** Announcements are rare: the code and the texts of the banner are loaded with the first one. */
const AnnouncementBanner = optionalComponent(
  () => import('./announcement-banner.tsx'),
  'AnnouncementBanner',
  'inbox',
)

export function Announcements() {
  return useAtomValue(bannersAtom).length > 0 && <AnnouncementBanner fallback={null} />
}
