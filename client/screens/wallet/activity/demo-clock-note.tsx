import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { Badge } from '#client/ui/badge.tsx'
import { demoClockAtom } from './demo-clock.ts'

/** Marks times that were converted from a demo clock; renders nothing in production. */
export function DemoClockNote() {
  const { t } = useTranslation('wallet')
  const clock = useAtomValue(demoClockAtom)
  if (!clock) return null
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2 text-xs text-muted">
      <Badge tone="amber">{t('demoClock.label', { speed: clock.speed })}</Badge>
      {t('demoClock.text')}
    </p>
  )
}
