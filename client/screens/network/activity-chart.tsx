import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { dispose, getInstanceByDom, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import EChartsReactCore from 'echarts-for-react/esm/core'
import { activitySummary, type HourOfCredits } from './network-status.ts'

use([BarChart, GridComponent, TooltipComponent, CanvasRenderer])

/** Labels under the bars: each sixth hour. */
const LABEL_EVERY = 6

/** A canvas cannot read the theme's variables by itself. */
function themed(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

/** Twenty-four bars, one an hour; an hour without credits is a stub, so that each can be seen. */
export function activityOption(hours: HourOfCredits[], animation: boolean) {
  const text = { color: themed('--color-muted'), fontFamily: themed('--font-sans'), fontSize: 12 }
  return {
    animation,
    grid: { top: 4, right: 0, bottom: 24, left: 0, outerBoundsMode: 'none' },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'none' },
      confine: true,
      backgroundColor: themed('--color-sheet'),
      borderColor: themed('--color-line-strong'),
      textStyle: { ...text, color: themed('--color-ink') },
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
    yAxis: { type: 'value', show: false },
    series: [
      {
        name: 'Credits',
        type: 'bar',
        data: hours.map(({ credits }) => credits),
        barMinHeight: 3,
        barCategoryGap: '35%',
        itemStyle: { color: themed('--color-mint'), borderRadius: 2 },
      },
    ],
  }
}

export function ActivityChart({ hours }: { hours: HourOfCredits[] }) {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  return (
    <div role="img" aria-label={`Bar chart: ${activitySummary(hours)}`} className="h-full">
      <EChartsReactCore
        echarts={{ init, dispose, getInstanceByDom }}
        style={{ height: '100%', width: '100%' }}
        option={activityOption(hours, !calm)}
      />
    </div>
  )
}
