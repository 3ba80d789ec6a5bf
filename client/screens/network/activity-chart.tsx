import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { dispose, getInstanceByDom, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import EChartsReactCore from 'echarts-for-react/esm/core'
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
        name: 'Credits',
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
  return (
    <div role="img" aria-label={`Bar chart: ${activitySummary(hours)}`} className="h-full">
      <EChartsReactCore
        echarts={{ init, dispose, getInstanceByDom }}
        style={{ height: '100%', width: '100%' }}
        opts={{ renderer: 'svg' }}
        option={activityOption(hours, !prefersReducedMotion())}
      />
    </div>
  )
}
