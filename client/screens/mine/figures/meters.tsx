import { useTranslation } from 'react-i18next'
import { aiPercent, elapsedMs } from '#client/screens/mine/mining-view.ts'
import { useMining } from '#client/screens/mine/use-mining.ts'
import { Panel } from '#client/ui/panel.tsx'
import { Progress } from '#client/ui/states/progress.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { SESSION_MS } from '#rules/constants'
import { durationText } from '#rules/duration-text'

/** The AI Optimization bar with its explanation. */
export function AiMeter() {
  const { t } = useTranslation('mine')
  const mining = useMining()
  const percent = mining && aiPercent(mining.status, mining.now, Date.now())
  return (
    <Panel>
      <Meter
        label={t('readouts.ai')}
        value={percent}
        text={percent === null ? null : `${percent}%`}
      />
      <p className="mt-3 text-sm text-muted">{t('aiText')}</p>
    </Panel>
  )
}

/** The progress of the 24-hour session. */
export function SessionMeter() {
  const { t } = useTranslation('mine')
  const mining = useMining()
  const elapsed = mining && elapsedMs(mining.status, mining.now)
  const done = elapsed === SESSION_MS
  const left = elapsed === null ? null : durationText(SESSION_MS - elapsed)
  const value = elapsed === null ? null : (elapsed / SESSION_MS) * 100
  const text = done ? t('session.complete') : left
  return <Meter label={t('session.label')} value={value} text={text} />
}

type MeterProps = { label: string; value: number | null; text: string | null }

function Meter({ label, value, text }: MeterProps) {
  return (
    <div>
      <div className="mb-2 flex min-h-6 flex-wrap items-center justify-between gap-x-3 text-sm">
        <span aria-hidden="true" className="font-medium">
          {label}
        </span>
        {text === null ? <Skeleton className="h-4 w-16" /> : <span className="figure">{text}</span>}
      </div>
      <Progress value={value} label={label} valueText={text ?? undefined} />
    </div>
  )
}
