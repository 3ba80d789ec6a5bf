import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import { useTranslation } from 'react-i18next'
import { classNames } from '#client/ui/class-names.ts'
import { Skeleton } from '#client/ui/loading.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { Meter } from '#client/ui/progress.tsx'
import type { NetworkStatus } from '#rules/snapshots'

const meters = ['training', 'dataProcessing', 'accuracy'] as const

const shares: { key: keyof NetworkStatus['aiStatus']['allocation']; tone: string }[] = [
  { key: 'mining', tone: 'bg-mint' },
  { key: 'security', tone: 'bg-sky' },
  { key: 'analytics', tone: 'bg-amber' },
  { key: 'research', tone: 'bg-muted' },
]

/** Three fixed entries (Specification §2: Network). */
const updates = ['rewards', 'milestones', 'optimization'] as const

export function AiCard({ network }: { network: NetworkStatus | undefined }) {
  const { t } = useTranslation('network')
  const ai = network?.aiStatus
  return (
    <TitledPanel titleId="ai-title" title={t('ai.title')}>
      <div className="mt-4 flex flex-col gap-4">
        {meters.map((meter) => (
          <Meter key={meter} label={t(`ai.${meter}`)} value={ai?.[meter] ?? null} tone="sky" />
        ))}
      </div>
      <h3 className="mt-6 font-sans text-sm font-medium">{t('ai.allocation')}</h3>
      <div aria-hidden="true" className="mt-3 flex h-1.5 gap-0.5 overflow-hidden rounded-full">
        {shares.map(({ key, tone }) => (
          <span
            key={key}
            className={classNames('h-full', ai ? tone : 'grow animate-shimmer bg-raised')}
            style={ai && { flexGrow: ai.allocation[key], flexBasis: 0 }}
          />
        ))}
      </div>
      <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(max(40%,min(100%,8rem)),1fr))] gap-x-6 gap-y-3 text-sm">
        {shares.map(({ key, tone }) => (
          <div key={key} className="flex flex-wrap items-center gap-x-2.5">
            <span aria-hidden="true" className={classNames('size-2 shrink-0 rounded-full', tone)} />
            <dt className="text-muted">{t(`ai.${key}`)}</dt>
            <dd className="figure ml-auto min-w-9 text-right">
              {ai ? `${ai.allocation[key]}%` : <Skeleton className="h-4 w-9" />}
            </dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-6 font-sans text-sm font-medium">{t('updates.title')}</h3>
      <ul className="mt-2">
        {updates.map((update) => (
          <li
            key={update}
            className="flex gap-3 border-line border-t py-3 first:border-t-0 last:pb-0"
          >
            <ArrowUpRight className="mt-0.5 size-4 shrink-0 text-mint" strokeWidth={1.75} />
            <div>
              <p className="text-sm font-medium">{t(`updates.${update}`)}</p>
              <p className="mt-0.5 text-sm text-muted">{t(`updates.${update}Text`)}</p>
            </div>
          </li>
        ))}
      </ul>
    </TitledPanel>
  )
}
