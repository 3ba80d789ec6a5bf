import { lazy, type ReactNode, Suspense } from 'react'
import { StaleNote } from '#client/stale-note.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { NetworkStatus } from '#rules/snapshots'
import { ActivityTable } from './activity-table.tsx'
import { hoursOf, rateText } from './network-status.ts'

const ActivityChart = lazy(async () => {
  const { ActivityChart } = await import('./activity-chart.tsx')
  return { default: ActivityChart }
})

/** Nodes, blocks and rate of this network, and its credits in each of the last 24 hours. */
export function StatusCard({ network }: { network: NetworkStatus | undefined }) {
  return (
    <Panel aria-labelledby="status-title">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="status-title" className="text-base">
          Network Status
        </h2>
        <StaleNote />
      </div>
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-5">
        <Figure label="Nodes" note="+12% from last week">
          {network?.nodes.toLocaleString('en-US')}
        </Figure>
        <Figure label="Block Height" note="Average block time: 2.4s">
          {network?.blockHeight.toLocaleString('en-US')}
        </Figure>
        <Figure label="Hash Rate" unit="TESP/h">
          {network && rateText(network.hashrate)}
        </Figure>
      </dl>
      <div className="mt-6 flex items-baseline justify-between gap-3">
        <h3 className="font-sans text-sm font-medium">Network Activity</h3>
        <p className="text-xs text-muted">Last updated: 2 min ago</p>
      </div>
      <div className="mt-3 h-36">
        {network ? (
          <Suspense fallback={<Skeleton className="h-full" />}>
            <ActivityChart hours={hoursOf(network)} />
          </Suspense>
        ) : (
          <Skeleton className="h-full" />
        )}
      </div>
      {network ? (
        <ActivityTable hours={hoursOf(network)} />
      ) : (
        <Skeleton className="mt-3 h-5 w-32" />
      )}
    </Panel>
  )
}

type FigureProps = { label: string; unit?: string; note?: string; children: ReactNode }

function Figure({ label, unit, note, children }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5">
        <span className="figure flex min-h-7 flex-wrap items-baseline gap-x-1.5 text-lg font-medium">
          {children ?? <Skeleton className="h-6 w-20 self-center" />}
          {children !== undefined && unit && (
            <span className="font-sans text-xs text-muted">{unit}</span>
          )}
        </span>
        {note && <span className="mt-0.5 block text-xs text-muted">{note}</span>}
      </dd>
    </div>
  )
}
