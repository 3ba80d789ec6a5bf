import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { aiPercent, elapsedMs, miningRateText } from '#client/screens/mine/mining-view.ts'
import { useMining } from '#client/screens/mine/use-mining.ts'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { durationText } from '#rules/duration-text'
import { boostAtom } from './boost.ts'

/** Time, AI Optimization and Rate, side by side. */
export function Readouts() {
  const { t } = useTranslation('mine')
  const mining = useMining()
  const miningBoost = useAtomValue(boostAtom)
  return (
    <Panel aria-label={t('readouts.label')} className="px-0! py-4!">
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5.5rem),1fr))] gap-y-4 divide-x divide-line text-center">
        <Readout label={t('readouts.time')}>
          {mining && durationText(elapsedMs(mining.status, mining.now))}
        </Readout>
        <Readout label={t('readouts.ai')}>
          {mining && `${aiPercent(mining.status, mining.now, Date.now())}%`}
        </Readout>
        <Readout label={t('readouts.rate')} unit={t('readouts.rateUnit')}>
          {mining && miningRateText({ ...mining.status, miningBoost })}
        </Readout>
      </dl>
    </Panel>
  )
}

function Readout({ label, unit, children }: { label: string; unit?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col items-center px-1">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="figure mt-1 flex min-h-7 flex-wrap items-baseline justify-center gap-x-1 text-lg font-medium whitespace-nowrap">
        {children ?? <Skeleton className="h-6 w-16 self-center" />}
        {children && unit && <span className="font-sans text-xs text-muted">{unit}</span>}
      </dd>
    </div>
  )
}
