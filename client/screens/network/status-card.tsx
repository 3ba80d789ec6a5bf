import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { wholeText } from '#client/format/amounts.ts'
import { StaleNote } from '#client/layout/connection-notes.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import type { NetworkStatus } from '#rules/snapshots'
import { ActivityBars } from './activity-bars.tsx'
import { type HourOfCredits, hoursOf, networkRateText, totalCredits } from './network-status.ts'

const ActivityChart = lazyComponent(() => import('./activity-chart.tsx'), 'ActivityChart')

export function StatusCard({ network }: { network: NetworkStatus | undefined }) {
  const { t } = useTranslation('network')
  return (
    <TitledPanel
      titleId="status-title"
      title={t('status.title')}
      headClassName="flex-wrap items-center gap-2"
      trailing={<StaleNote asOf={network?.asOf} />}
    >
      <dl className="mt-2">
        <Figure label={t('status.nodes')} note={t('status.nodesNote')}>
          {network && wholeText(network.nodes)}
        </Figure>
        <Figure label={t('status.blockHeight')} note={t('status.blockNote')}>
          {network && wholeText(network.blockHeight)}
        </Figure>
        <Figure label={t('status.hashRate')} unit={t('status.rateUnit')}>
          {network && networkRateText(network.hashrate)}
        </Figure>
      </dl>
      <div className="mt-4 flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-sans text-sm font-medium">{t('status.activity')}</h3>
        <p className="text-xs text-muted">{t('status.updated')}</p>
      </div>
      <Activity network={network} />
      <p className="mt-4 text-xs text-muted">{t('status.illustration')}</p>
    </TitledPanel>
  )
}

function Activity({ network }: { network: NetworkStatus | undefined }) {
  const { t } = useTranslation('network')
  // The chart with its tooltips takes the place of the bars when a pointer reaches them.
  const [used, setUsed] = useState(false)
  if (!network) return <Skeleton className="mt-3 mb-11 h-[144px]" />
  const hours = hoursOf(network)
  const bars = <ActivityBars hours={hours} />
  return (
    <>
      {/* The bars are measured in pixels. */}
      <div className="@container relative mt-3 h-[144px]">
        <div className="h-full" onPointerEnter={() => setUsed(true)}>
          {used ? <ActivityChart hours={hours} fallback={bars} /> : bars}
        </div>
        {totalCredits(hours) === 0 && (
          <p
            aria-hidden="true"
            className="absolute inset-x-0 top-12 text-center text-xs text-muted"
          >
            {t('activity.none')}
          </p>
        )}
      </div>
      <ActivityTable hours={hours} />
    </>
  )
}

type FigureProps = { label: string; unit?: string; note?: string; children: ReactNode }

function Figure({ label, unit, note, children }: FigureProps) {
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 border-line border-b py-2">
      <dt className="text-sm">
        {label}
        {note && <span className="block text-xs text-muted">{note}</span>}
      </dt>
      <dd className="figure flex min-h-7 grow flex-wrap items-baseline justify-end gap-x-1.5 text-lg font-medium">
        {children ?? <Skeleton className="h-6 w-20 self-center" />}
        {children !== undefined && unit && (
          <span className="font-sans text-xs text-muted">{unit}</span>
        )}
      </dd>
    </div>
  )
}

function ActivityTable({ hours }: { hours: HourOfCredits[] }) {
  const { t } = useTranslation('network')
  return (
    <details className="group mt-2 -mb-2">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-chip text-sm text-muted transition hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronDown className="size-4 transition group-open:rotate-180" />
        {t('activity.asTable')}
      </summary>
      <table className="mb-2 w-full text-sm">
        <caption className="sr-only">{t('activity.caption')}</caption>
        <thead>
          <tr className="text-left text-xs text-muted *:pb-2 *:font-normal">
            <th scope="col">{t('activity.hour')}</th>
            <th scope="col" className="text-right">
              {t('activity.credits')}
            </th>
          </tr>
        </thead>
        <tbody>
          {hours.map(({ label, credits }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two hours may have one label
            <tr key={index} className="border-line border-t">
              <th scope="row" className="figure py-2 text-left font-normal">
                {label}
              </th>
              <td className="figure text-right">{wholeText(credits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
