import { useTranslation } from 'react-i18next'
import { wholeText } from '#client/format/amounts.ts'
import { i18n } from '#client/language/language.ts'
import { barTooltip, chartText } from '#client/ui/bar-chart.ts'
import { Chart } from '#client/ui/chart.tsx'
import { themeValue } from '#client/ui/theme.ts'
import { LABEL_EVERY } from './activity-bars.tsx'
import { activitySummary, type HourOfCredits } from './network-status.ts'

const FONT_PX = 12

/** 24 bars, one per hour; an hour without credits is a stub, so that every hour is visible. */
export function activityOption(hours: HourOfCredits[]) {
  return {
    tooltip: barTooltip(FONT_PX),
    grid: { top: 4, right: 0, bottom: 24, left: 0, outerBoundsMode: 'none' },
    xAxis: {
      type: 'category',
      data: hours.map(({ label }) => label),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        ...chartText(FONT_PX),
        alignMinLabel: 'left',
        interval: (index: number) => index % LABEL_EVERY === 0,
      },
    },
    yAxis: { type: 'value', show: false, max: 'dataMax' },
    series: [
      {
        id: 'credits',
        name: i18n.t('network:activity.credits'),
        type: 'bar',
        data: hours.map(({ credits }) => credits),
        barMinHeight: 3,
        barCategoryGap: '35%',
        itemStyle: { color: themeValue('--color-mint'), borderRadius: 2 },
        tooltip: { valueFormatter: wholeText },
      },
    ],
  }
}

export function ActivityChart({ hours }: { hours: HourOfCredits[] }) {
  const { t } = useTranslation('network')
  const label = t('activity.chart', { summary: activitySummary(hours) })
  return <Chart label={label} option={activityOption(hours)} />
}
