import { useAtomValue } from 'jotai'
import Megaphone from 'lucide-react/icons/megaphone'
import Wrench from 'lucide-react/icons/wrench'
import { useTranslation } from 'react-i18next'
import { bannersAtom } from '#client/data/inbox-state.ts'
import { nowAtom, serverNow } from '#client/data/server-clock.ts'
import { dateText, dateTimeText, timeText } from '#client/format/dates.ts'
import { currentLanguage } from '#client/language/language.ts'
import { markRead } from '#client/live/inbox-read.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { focusMain } from '#client/ui/focus-main.ts'
import { durationText } from '#rules/duration-text'
import type { Announcement } from '#rules/inbox'

export function AnnouncementBanner() {
  const { t } = useTranslation('inbox')
  const banners = useAtomValue(bannersAtom)
  // Renders each second.
  useAtomValue(nowAtom)
  const now = serverNow()
  const open = banners.filter(({ until }) => Date.parse(until) > now)
  // What is read is one mark, so several are dismissed together.
  const dismiss = () => {
    markRead({ row: 0, announcement: open[0]?.id ?? 0 })
    focusMain()
  }
  const isOne = open.length === 1
  return (
    <>
      {open.map((banner) => (
        <Banner
          key={banner.id}
          announcement={banner}
          now={now}
          onDismiss={isOne ? dismiss : undefined}
        />
      ))}
      {open.length > 1 && (
        <div className="mb-4 flex justify-end">
          <Button variant="secondary" onClick={dismiss}>
            {t('announcement.dismissAll')}
          </Button>
        </div>
      )}
    </>
  )
}

const looks = {
  maintenance: { Icon: Wrench, box: 'border-amber-line bg-amber-soft', icon: 'text-amber' },
  urgent: { Icon: Megaphone, box: 'border-coral-line bg-coral-soft', icon: 'text-coral' },
}

type BannerProps = {
  announcement: Announcement
  now: number
  onDismiss: (() => void) | undefined
}

function Banner({ announcement, now, onDismiss }: BannerProps) {
  const { t } = useTranslation(['inbox', 'common'])
  const { kind, texts, from, until } = announcement
  const { Icon, box, icon } = looks[kind === 'maintenance' ? kind : 'urgent']
  const endText = dateText(until) === dateText(now) ? timeText : dateTimeText
  const leftMs = Date.parse(from) - now
  return (
    <section
      aria-label={t('announcement.label')}
      className={`mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel border p-3 ${box}`}
    >
      <Icon className={`size-5 shrink-0 ${icon}`} />
      <div className="min-w-0 grow basis-44 text-sm">
        <div role={kind === 'urgent' ? 'alert' : 'status'}>
          <p className="font-semibold">{t(`announcement.${kind}`)}</p>
          <p className="mt-0.5 wrap-anywhere">{texts[currentLanguage()]}</p>
        </div>
        {kind === 'maintenance' && (
          <p className="mt-1 text-amber">
            {leftMs > 0 ? (
              <>
                {t('announcement.startsIn')}{' '}
                <span role="timer" className="figure">
                  {durationText(leftMs).replace(/^0/, '')}
                </span>
              </>
            ) : (
              t('announcement.runsUntil', { until: endText(until) })
            )}
          </p>
        )}
      </div>
      {onDismiss && (
        <Button variant="secondary" className="max-[22rem]:ml-8" onClick={onDismiss}>
          {t('common:dismiss')}
        </Button>
      )}
    </section>
  )
}
