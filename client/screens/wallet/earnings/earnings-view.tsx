import { useAtomValue } from 'jotai'
import ChartColumn from 'lucide-react/icons/chart-column'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { demoClockAtom } from '#client/data/demo-clock.ts'
import { earningsAtom } from '#client/data/earnings.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { amountText, signedText, type Token } from '#client/format/amounts.ts'
import { utcDayText } from '#client/format/dates.ts'
import { LoadError, StaleNote } from '#client/layout/connection-notes.tsx'
import { ExactAmount, FitText } from '#client/ui/amounts.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { LinkButton } from '#client/ui/buttons/button.tsx'
import { LoadingNote, Skeleton } from '#client/ui/loading.tsx'
import { Panel, TitledPanel } from '#client/ui/panel.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { type Money, sum } from '#rules/money/money'
import type { EarningsDay } from '#rules/snapshots'
import type { Bars } from './earnings-chart.tsx'
import {
  bestOf,
  hasRows,
  isZero,
  PERIODS,
  type Source,
  shortDayText,
  sourcesOf,
  streakOf,
  sumOf,
  tespOf,
  usdtOf,
} from './earnings-figures.ts'
import { EarningsTable } from './earnings-table.tsx'

const EarningsChart = lazyComponent(() => import('./earnings-chart.tsx'), 'EarningsChart')

/** One read holds all periods, so a chosen one is there at once. */
export function EarningsView() {
  const { t } = useTranslation(['earnings', 'wallet'])
  const clock = useAtomValue(demoClockAtom)
  const query = useAtomValue(earningsAtom)
  const { data, isError } = query
  if (isError && !data) {
    return <LoadError query={query} title={t('loadFailed.title')} text={t('loadFailed.text')} />
  }
  return (
    <Tabs defaultValue={String(PERIODS[0])} className="flex flex-col gap-4">
      <TabsList aria-label={t('period')}>
        {PERIODS.map((period) => (
          <TabsTrigger key={period} value={String(period)}>
            {t('days', { count: period })}
          </TabsTrigger>
        ))}
      </TabsList>
      <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
        {clock && <Badge tone="amber">{t('wallet:demoClock.label', { speed: clock.speed })}</Badge>}
        {t(clock ? 'wallet:statement.demoClock' : 'earnings:utc')}
        <StaleNote asOf={data?.asOf} />
      </p>
      {PERIODS.map((period) => (
        <TabsContent key={period} value={String(period)}>
          {data ? (
            <Period days={data.days.slice(-period)} all={data.days} />
          ) : (
            <div className="flex flex-col gap-4">
              <LoadingNote text={t('loading')} />
              <Skeleton className="h-48 rounded-panel" />
              <Skeleton className="h-72 rounded-panel" />
            </div>
          )}
        </TabsContent>
      ))}
    </Tabs>
  )
}

function Period({ days, all }: { days: EarningsDay[]; all: EarningsDay[] }) {
  const { t } = useTranslation(['earnings', 'wallet'])
  if (!days.some(hasRows)) {
    return (
      <Panel className="flex flex-col items-center gap-3 py-10 text-center">
        <ChartColumn className="size-7 text-muted" strokeWidth={1.5} />
        <p className="font-medium text-balance">{t('empty.title', { count: days.length })}</p>
        <p className="text-sm text-balance text-muted">{t('empty.text')}</p>
        <LinkButton href="/mine">{t('wallet:activity.action')}</LinkButton>
      </Panel>
    )
  }
  const best = bestOf(days, tespOf)
  const streak = streakOf(all)
  const usdtBars = [{ name: 'USDT', color: '--color-sky', amounts: days.map(usdtOf) }]
  return (
    <div className="flex flex-col gap-4">
      <Panel aria-label={t('summary')} className="@container">
        <dl className="grid grid-cols-2 gap-x-4 gap-y-5 @max-[16rem]:grid-cols-1">
          <Fact name={t('total', { token: 'TESP' })}>
            <Total amount={sumOf(days, tespOf)} token="TESP" className="text-mint" />
          </Fact>
          <Fact name={t('total', { token: 'USDT' })}>
            <Total amount={sumOf(days, usdtOf)} token="USDT" className="text-sky" />
          </Fact>
          <Fact name={t('best')} detail={best && shortDayText(best.day)}>
            {best ? <FitText text={`${amountText(best.amount, 'TESP')} TESP`} /> : t('none')}
          </Fact>
          <Fact name={t('streak')}>
            {t(streak.isOpen ? 'streakLong' : 'days', { count: streak.count })}
          </Fact>
        </dl>
      </Panel>
      <TespBars days={days} />
      {!days.every(({ usdt }) => isZero(usdt)) && (
        <TitledPanel titleId="usdt-title" title={t('chart.usdt')}>
          <Chart token="USDT" days={days} bars={usdtBars} amountOf={usdtOf} />
        </TitledPanel>
      )}
      <EarningsTable days={days} />
    </div>
  )
}

type FactProps = { name: string; detail?: string | undefined; children: ReactNode }

function Fact({ name, detail, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-1 font-medium">{children}</dd>
      {detail && <dd className="text-sm text-muted">{detail}</dd>}
    </div>
  )
}

function Total({ amount, token, className }: { amount: Money; token: Token; className: string }) {
  return (
    <div className={`figure text-lg ${className}`}>
      <ExactAmount text={signedText(amount, token)} amount={amount} token={token} />
    </div>
  )
}

/** By their place in a bar; colours next to each other differ in brightness. */
const COLORS: Record<Source, string> = {
  mining: '--color-mint',
  team: '--color-mint-deep',
  rewards: '--color-ink',
  other: '--color-amber',
}

function TespBars({ days }: { days: EarningsDay[] }) {
  const { t } = useTranslation('earnings')
  const bars = sourcesOf(days).map((source) => ({
    name: t(`sources.${source}`),
    color: COLORS[source],
    amounts: days.map((day) => day[source]),
  }))
  return (
    <TitledPanel titleId="tesp-title" title={t('chart.tesp')}>
      <Chart token="TESP" days={days} bars={bars} amountOf={tespOf} />
      <table className="mt-4 w-full text-sm">
        <caption className="sr-only">{t('sources.title')}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{t('sources.source')}</th>
            <th scope="col">{t('sources.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, color, amounts }) => (
            <tr key={name} className="border-line border-t">
              <th scope="row" className="py-2 text-left font-normal">
                <span className="flex items-baseline gap-2">
                  <span
                    aria-hidden="true"
                    className="size-2.5 shrink-0 rounded-full"
                    style={{ background: `var(${color})` }}
                  />
                  {name}
                </span>
              </th>
              <td className="figure w-1/2 py-2 pl-3 text-right font-medium">
                <FitText text={signedText(sum(...amounts), 'TESP')} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TitledPanel>
  )
}

type ChartProps = {
  token: Token
  days: EarningsDay[]
  bars: Bars[]
  amountOf: (day: EarningsDay) => Money
}

function Chart({ token, days, bars, amountOf }: ChartProps) {
  const { t } = useTranslation('earnings')
  const best = bestOf(days, amountOf)
  const amount = signedText(sumOf(days, amountOf), token)
  const values = { amount, token, count: days.length }
  const label = best
    ? t('chart.labelBest', {
        ...values,
        day: utcDayText(best.day),
        most: amountText(best.amount, token),
      })
    : t('chart.label', values)
  return (
    <div className="mt-3 h-44">
      <EarningsChart
        {...{ label, token, bars }}
        days={days.map(({ day }) => day)}
        fallback={<Skeleton className="h-full rounded-chip" />}
      />
    </div>
  )
}
