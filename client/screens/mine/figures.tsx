import { atom, useAtomValue } from 'jotai'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Users from 'lucide-react/icons/users'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { miningAtom } from '#client/data/member-data.ts'
import { polledReferralAtom } from '#client/data/referral-info.ts'
import { grouped, wholeText } from '#client/format/amounts.ts'
import { Tooltip } from '#client/ui/dialogs/tooltip.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Meter } from '#client/ui/progress.tsx'
import type { SimulatedStats } from '#rules/ai-figures'
import { SESSION_MS } from '#rules/constants'
import { durationText } from '#rules/duration-text'
import { aiPercent, elapsedMs, miningRateText, statsNow, useMining } from './mining-view.ts'

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

export function AiMeter() {
  const { t } = useTranslation('mine')
  const mining = useMining()
  const percent = mining && aiPercent(mining.status, mining.now, Date.now())
  return (
    <Panel>
      <Meter label={t('readouts.ai')} value={percent} />
      <p className="mt-3 text-sm text-muted">{t('aiText')}</p>
    </Panel>
  )
}

export function SessionMeter() {
  const { t } = useTranslation('mine')
  const mining = useMining()
  if (!mining) return <Meter label={t('session.label')} value={null} />
  const elapsed = elapsedMs(mining.status, mining.now)
  const left = SESSION_MS - elapsed
  const text = left === 0 ? t('session.complete') : durationText(left)
  return <Meter label={t('session.label')} value={(elapsed / SESSION_MS) * 100} text={text} />
}

export function BoostBox() {
  const { t } = useTranslation('mine')
  const miningBoost = useAtomValue(boostAtom)
  if (miningBoost <= 0) return null
  return (
    <Panel aria-labelledby="boost-title" className="@container">
      <div className="flex gap-4">
        <Users className="mt-0.5 size-5 shrink-0 text-mint" strokeWidth={1.75} />
        <div className="flex min-w-0 grow flex-wrap items-baseline justify-between gap-x-3">
          <h2 id="boost-title" className="text-base">
            {t('boost.title')}
          </h2>
          <span className="figure text-lg font-medium text-mint">
            +{wholeText(miningBoost * 100)}%
          </span>
        </div>
      </div>
      <p className="mt-1 pl-9 text-sm text-muted @max-[14rem]:pl-0">{t('boost.text')}</p>
    </Panel>
  )
}

/** The member's boost from the newer of mining status and referral info; 0 while unknown. */
export const boostAtom = atom((get) => {
  const sources = [get(miningAtom).data, get(polledReferralAtom).data]
  const newest = sources.reduce((one, other) =>
    (other?.asOf ?? 0) > (one?.asOf ?? 0) ? other : one,
  )
  return newest?.miningBoost ?? 0
})

const cards = [
  {
    name: 'connections',
    text: ({ neuralLinks }: SimulatedStats) => grouped(String(neuralLinks)),
    unit: '',
  },
  {
    name: 'data',
    text: ({ dataProcessed }: SimulatedStats) => grouped(dataProcessed.toFixed(2)),
    unit: 'TB',
  },
  {
    name: 'hash',
    text: ({ networkPower }: SimulatedStats) => grouped(networkPower.toFixed(2)),
    unit: 'TH/s',
  },
] as const

export function StatCards() {
  const { t } = useTranslation('mine')
  const mining = useMining()
  const stats = mining && statsNow(mining.status, mining.now)
  return (
    <section aria-label={t('stats.label')}>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5.5rem),1fr))] gap-2">
        {cards.map(({ name, text, unit }) => (
          <Tooltip key={name} content={t(`stats.${name}Text`)}>
            <button
              type="button"
              className="min-w-0 rounded-panel border border-line bg-panel px-2 py-4 text-center transition hover:bg-raised"
            >
              <span className="block text-xs text-muted">{t(`stats.${name}`)}</span>
              <span className="figure mt-1 flex min-h-6 flex-wrap items-baseline justify-center gap-x-1 text-base font-medium whitespace-nowrap">
                {stats ? text(stats) : <Skeleton className="h-5 w-14 self-center" />}
                {stats && unit && <span className="font-sans text-xs text-muted">{unit}</span>}
              </span>
            </button>
          </Tooltip>
        ))}
      </div>
      <p className="mt-1 text-center text-sm">
        <Link
          href="/network"
          className="inline-flex min-h-11 items-center gap-1.5 rounded-chip px-2 text-muted transition hover:text-ink"
        >
          {t('stats.network')}
          <ChevronRight className="size-4" />
        </Link>
      </p>
    </section>
  )
}
