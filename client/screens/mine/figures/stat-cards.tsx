import { useTranslation } from 'react-i18next'
import { grouped } from '#client/format/amounts.ts'
import { statsNow } from '#client/screens/mine/mining-view.ts'
import { useMining } from '#client/screens/mine/use-mining.ts'
import { Tooltip } from '#client/ui/dialogs/tooltip.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { SimulatedStats } from '#rules/money/simulation'

const cards = [
  {
    label: 'stats.connections',
    explanation: 'stats.connectionsText',
    text: ({ neuralLinks }: SimulatedStats) => grouped(String(neuralLinks)),
    unit: '',
  },
  {
    label: 'stats.data',
    explanation: 'stats.dataText',
    text: ({ dataProcessed }: SimulatedStats) => grouped(dataProcessed.toFixed(2)),
    unit: 'TB',
  },
  {
    label: 'stats.hash',
    explanation: 'stats.hashText',
    text: ({ networkPower }: SimulatedStats) => grouped(networkPower.toFixed(2)),
    unit: 'TH/s',
  },
] as const

/** Three simulated figures; a tooltip explains each on click, focus or hover. */
export function StatCards() {
  const { t } = useTranslation('mine')
  const mining = useMining()
  const stats = mining && statsNow(mining.status, mining.now)
  return (
    <section
      aria-label={t('stats.label')}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5.5rem),1fr))] gap-2"
    >
      {cards.map(({ label, explanation, text, unit }) => (
        <Tooltip key={label} content={t(explanation)}>
          <button
            type="button"
            className="min-w-0 rounded-panel border border-line bg-panel px-2 py-4 text-center transition hover:bg-raised"
          >
            <span className="block text-xs text-muted">{t(label)}</span>
            <span className="figure mt-1 flex min-h-6 flex-wrap items-baseline justify-center gap-x-1 text-base font-medium whitespace-nowrap">
              {stats ? text(stats) : <Skeleton className="h-5 w-14 self-center" />}
              {stats && unit && <span className="font-sans text-xs text-muted">{unit}</span>}
            </span>
          </button>
        </Tooltip>
      ))}
    </section>
  )
}
