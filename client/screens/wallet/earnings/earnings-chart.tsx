import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { dispose, getInstanceByDom, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import EChartsReactCore from 'echarts-for-react/esm/core'
import { amountText, grouped, type Token } from '#client/format/amounts.ts'
import { utcDayText, utcWeekdayText } from '#client/format/dates.ts'
import { LONGEST_ANIMATION_MS } from '#client/ui/animation.ts'
import { prefersReducedMotion, themeValue } from '#client/ui/theme.ts'
import type { Money } from '#rules/money/money'
import { shortDayText } from './earnings-figures.ts'

use([BarChart, GridComponent, TooltipComponent, SVGRenderer])

/** Amounts of one source, one a day, in the colour of a theme variable. */
export type Bars = { name: string; color: string; amounts: Money[] }

type EarningsChartProps = { label: string; token: Token; days: string[]; bars: Bars[] }

/** Labels of the x-axis at most, counted back from today. */
const LABELS = 7

/** A week is labelled by weekdays. */
const axisDayText = (day: string, days: number) =>
  days > LABELS ? shortDayText(day) : utcWeekdayText(day)

/** Of 12 px at the text size of the browser. */
const fontSize = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.75

/** Stacked bars, one a day. The figures are drawn as numbers, and every text shows the exact amount. */
export function earningsOption({ token, days, bars }: EarningsChartProps, animation: boolean) {
  const text = {
    color: themeValue('--color-muted'),
    fontFamily: themeValue('--font-sans'),
    fontSize: fontSize(),
  }
  const every = Math.ceil(days.length / LABELS)
  return {
    animation,
    animationDuration: LONGEST_ANIMATION_MS,
    animationDurationUpdate: LONGEST_ANIMATION_MS,
    grid: { top: 8, right: 0, bottom: 6, left: 0, outerBoundsMode: 'same' },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'none' },
      confine: true,
      backgroundColor: themeValue('--color-sheet'),
      borderColor: themeValue('--color-line-strong'),
      textStyle: { ...text, color: themeValue('--color-ink') },
    },
    xAxis: {
      type: 'category',
      data: days.map(utcDayText),
      axisLine: { lineStyle: { color: themeValue('--color-line-strong') } },
      axisTick: { show: false },
      axisLabel: {
        ...text,
        hideOverlap: true,
        interval: (index: number) => (days.length - 1 - index) % every === 0,
        formatter: (_day: string, index: number) => axisDayText(days[index] ?? '', days.length),
      },
    },
    yAxis: {
      type: 'value',
      splitNumber: 2,
      splitLine: { lineStyle: { color: themeValue('--color-line') } },
      axisLabel: { ...text, formatter: (value: number) => grouped(String(+value.toFixed(8))) },
    },
    series: bars.map(({ name, color, amounts }) => ({
      name,
      type: 'bar',
      stack: token,
      data: amounts.map(Number),
      barCategoryGap: '25%',
      barMaxWidth: 32,
      itemStyle: { color: themeValue(color), borderRadius: 1 },
      tooltip: {
        valueFormatter: (_value: unknown, day: number) =>
          `${amountText(amounts[day] ?? '0', token)} ${token}`,
      },
    })),
  }
}

export function EarningsChart(props: EarningsChartProps) {
  return (
    <div role="img" aria-label={props.label} className="h-full">
      <EChartsReactCore
        echarts={{ init, dispose, getInstanceByDom }}
        style={{ height: '100%', width: '100%' }}
        opts={{ renderer: 'svg' }}
        option={earningsOption(props, !prefersReducedMotion())}
      />
    </div>
  )
}
