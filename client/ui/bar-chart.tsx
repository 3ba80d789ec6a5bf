import { BarChart as EChartsBars } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { dispose, getInstanceByDom, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import EChartsReactCore from 'echarts-for-react/esm/core'
import { LONGEST_ANIMATION_MS } from '#client/ui/animation.ts'
import { prefersReducedMotion, themeValue } from '#client/ui/theme.ts'

use([EChartsBars, GridComponent, TooltipComponent, SVGRenderer])

export const chartText = (fontPx: number) => ({
  color: themeValue('--color-muted'),
  fontFamily: themeValue('--font-sans'),
  fontSize: fontPx,
})

export const barChartOption = (fontPx: number, animation: boolean) => ({
  animation,
  animationDuration: LONGEST_ANIMATION_MS,
  animationDurationUpdate: LONGEST_ANIMATION_MS,
  tooltip: {
    trigger: 'axis',
    axisPointer: { type: 'none' },
    confine: true,
    backgroundColor: themeValue('--color-sheet'),
    borderColor: themeValue('--color-line-strong'),
    textStyle: { ...chartText(fontPx), color: themeValue('--color-ink') },
  },
})

type BarChartProps = { label: string; option: (animation: boolean) => object }

/** A picture to screen readers, named by its summary; a table beside it has the figures. */
export function BarChart({ label, option }: BarChartProps) {
  return (
    <div role="img" aria-label={label} className="h-full">
      <EChartsReactCore
        echarts={{ init, dispose, getInstanceByDom }}
        style={{ height: '100%', width: '100%' }}
        opts={{ renderer: 'svg' }}
        // Series are found again by their `id`; without this, one that has gone would stay.
        replaceMerge="series"
        option={option(!prefersReducedMotion())}
      />
    </div>
  )
}
