import { amountText, type Token } from '#client/format/amounts.ts'
import { utcDayText, utcWeekdayText } from '#client/format/dates.ts'
import { currentLanguage } from '#client/language/language.ts'
import { barTooltip, chartText } from '#client/ui/bar-chart.ts'
import { Chart } from '#client/ui/chart.tsx'
import { themeValue } from '#client/ui/theme.ts'
import { MONEY_PLACES, type Money } from '#rules/money/money'
import { shortDayText } from './earnings-figures.ts'

/** One amount a day; `color` is a theme variable. */
export type Bars = { name: string; color: string; amounts: Money[] }

type EarningsChartProps = { label: string; token: Token; days: string[]; bars: Bars[] }

const WEEK = 7

/** Labels that fit a phone: every day of a week, or the first, the middle and the last; fewer in a large font. */
function labelledDays(days: number, fontPx: number): Set<number> {
  const isLarge = fontPx > LARGE_FONT_PX
  const labels = days > WEEK ? (isLarge ? 2 : 3) : isLarge ? 3 : days
  return new Set(
    Array.from({ length: labels }, (_, nth) => Math.round((nth * (days - 1)) / (labels - 1))),
  )
}

const LARGE_FONT_PX = 15

/** `0.03`, `2.5K`: short, because the axis takes its room from the bars. */
const axisAmountText = (amount: number) =>
  new Intl.NumberFormat(currentLanguage(), {
    notation: 'compact',
    maximumFractionDigits: MONEY_PLACES,
  }).format(amount)

/** 12 px, scaled with the text size of the browser. */
const fontSize = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 0.75

/** Bars are drawn from floating-point numbers; every text is made from the exact amount. */
export function earningsOption({ token, days, bars }: EarningsChartProps) {
  const fontPx = fontSize()
  const text = chartText(fontPx)
  const labelled = labelledDays(days.length, fontPx)
  const axisDayText = days.length > WEEK ? shortDayText : utcWeekdayText
  return {
    tooltip: barTooltip(fontPx),
    grid: { top: 8, right: 0, bottom: fontPx / 2, left: 0, outerBoundsMode: 'same' },
    xAxis: {
      type: 'category',
      data: days.map(utcDayText),
      axisLine: { lineStyle: { color: themeValue('--color-line-strong') } },
      axisTick: { show: false },
      axisLabel: {
        ...text,
        interval: (index: number) => labelled.has(index),
        // Inside of the edges, so that the bars need not leave room.
        ...(labelled.size < days.length && { alignMinLabel: 'left', alignMaxLabel: 'right' }),
        formatter: (_day: string, index: number) => axisDayText(days[index] ?? ''),
      },
    },
    yAxis: {
      type: 'value',
      splitNumber: 2,
      splitLine: { lineStyle: { color: themeValue('--color-line') } },
      axisLabel: { ...text, formatter: axisAmountText },
    },
    series: bars.map(({ name, color, amounts }) => ({
      id: name,
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
  return <Chart label={props.label} option={earningsOption(props)} />
}
