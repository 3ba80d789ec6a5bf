import { Panel } from '#client/ui/panel.tsx'
import { Progress } from '#client/ui/progress.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { SESSION_MS } from '#rules/constants'
import { durationText } from '#rules/duration-text'
import { aiPercent, elapsedMs } from './mining-view.ts'
import { useMining } from './use-mining.ts'

/** The AI Optimization bar with its explanation. */
export function AiMeter() {
  const mining = useMining()
  const percent = mining && aiPercent(mining.status, mining.now, Date.now())
  return (
    <Panel>
      <Meter
        label="AI Optimization"
        value={percent}
        text={percent === null ? null : `${percent}%`}
      />
      <p className="mt-3 text-sm text-muted">
        This value changes with network conditions and mining criteria.
      </p>
    </Panel>
  )
}

/** The progress of the 24-hour session. */
export function SessionMeter() {
  const mining = useMining()
  const elapsed = mining && elapsedMs(mining.status, mining.now)
  const done = elapsed === SESSION_MS
  const text = elapsed === null ? null : done ? '100% Complete' : durationText(SESSION_MS - elapsed)
  const value = elapsed === null ? null : (elapsed / SESSION_MS) * 100
  return <Meter label="Mining Progress (24h)" value={value} text={text} />
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
