import { Skeleton } from '#client/ui/skeleton.tsx'
import { Tooltip } from '#client/ui/tooltip.tsx'
import type { SimulatedStats } from '#rules/simulation'
import { statsNow } from './mining-view.ts'
import { useMining } from './use-mining.ts'

const cards = [
  {
    label: 'AI Connections',
    explanation: 'Number of neural network connections active during mining',
    text: ({ neuralLinks }: SimulatedStats) => neuralLinks.toLocaleString('en-US'),
    unit: '',
  },
  {
    label: 'Total Data',
    explanation: 'Data processed by the AI system',
    text: ({ dataProcessed }: SimulatedStats) => dataProcessed.toFixed(2),
    unit: 'TB',
  },
  {
    label: 'Network Hash',
    explanation: 'Total hash power of the network',
    text: ({ networkPower }: SimulatedStats) => networkPower.toFixed(2),
    unit: 'TH/s',
  },
]

/** Three simulated figures; a tooltip explains each on click, focus or hover. */
export function StatCards() {
  const mining = useMining()
  const stats = mining && statsNow(mining.status, mining.now)
  return (
    <section
      aria-label="Network statistics"
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5.5rem),1fr))] gap-2"
    >
      {cards.map(({ label, explanation, text, unit }) => (
        <Tooltip key={label} content={explanation}>
          <button
            type="button"
            className="min-w-0 rounded-panel border border-line bg-panel px-2 py-4 text-center transition hover:bg-raised"
          >
            <span className="block text-xs text-muted">{label}</span>
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
