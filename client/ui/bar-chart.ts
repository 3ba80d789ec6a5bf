import { BarChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { themeValue } from './theme.ts'

use([BarChart, GridComponent, TooltipComponent])

export const chartText = (fontPx: number) => ({
  color: themeValue('--color-muted'),
  fontFamily: themeValue('--font-sans'),
  fontSize: fontPx,
})

export const barTooltip = (fontPx: number) => ({
  trigger: 'axis',
  axisPointer: { type: 'none' },
  confine: true,
  backgroundColor: themeValue('--color-sheet'),
  borderColor: themeValue('--color-line-strong'),
  textStyle: { ...chartText(fontPx), color: themeValue('--color-ink') },
})
