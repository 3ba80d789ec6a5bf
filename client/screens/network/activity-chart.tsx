import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { dispose, getInstanceByDom, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import EChartsReactCore from 'echarts-for-react/esm/core'
import { useTranslation } from 'react-i18next'
import { i18n } from '#client/language/language.ts'
import { LONGEST_ANIMATION_MS } from '#client/ui/animation.ts'
import { prefersReducedMotion, themeValue } from '#client/ui/theme.ts'
import { LABEL_EVERY } from './activity-bars.tsx'
import { activitySummary, type HourOfCredits } from './network-status.ts'

use([BarChart, GridComponent, TooltipComponent, SVGRenderer])

/** 24 bars, one per hour; an hour without credits is a stub, so that every hour is visible. */
export function activityOption(hours: HourOfCredits[], animation: boolean) {
  const text = {
    color: themeValue('--color-muted'),
    fontFamily: themeValue('--font-sans'),
    fontSize: 12,
  }
  return {
    animation,
    animationDuration: LONGEST_ANIMATION_MS,
    animationDurationUpdate: LONGEST_ANIMATION_MS,
    grid: { top: 4, right: 0, bottom: 24, left: 0, outerBoundsMode: 'none' },
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
      data: hours.map(({ label }) => label),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: {
        ...text,
        alignMinLabel: 'left',
        interval: (index: number) => index % LABEL_EVERY === 0,
      },
    },
    yAxis: { type: 'value', show: false, max: 'dataMax' },
    series: [
      {
        name: i18n.t('network:activity.credits'),
        type: 'bar',
        data: hours.map(({ credits }) => credits),
        barMinHeight: 3,
        barCategoryGap: '35%',
        itemStyle: { color: themeValue('--color-mint'), borderRadius: 2 },
      },
    ],
  }
}

export function ActivityChart({ hours }: { hours: HourOfCredits[] }) {
  const { t } = useTranslation('network')
  return (
    <div
      role="img"
      aria-label={t('activity.chart', { summary: activitySummary(hours) })}
      className="h-full"
    >
      <EChartsReactCore
        echarts={{ init, dispose, getInstanceByDom }}
        style={{ height: '100%', width: '100%' }}
        opts={{ renderer: 'svg' }}
        option={activityOption(hours, !prefersReducedMotion())}
      />
    </div>
  )
}
