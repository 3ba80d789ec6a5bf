import { render, screen } from '@testing-library/react'
import { getInstanceByDom } from 'echarts/core'
import { expect, it } from 'vitest'
import { BarChart } from './bar-chart.tsx'

const chartOf = (ids: string[]) => (
  <BarChart
    label="chart"
    option={() => ({
      xAxis: { type: 'category', data: ['Mon'] },
      yAxis: {},
      series: ids.map((id) => ({ id, type: 'bar', data: [1] })),
    })}
  />
)

it('a series that has gone is not drawn any more', async () => {
  const { rerender } = render(chartOf(['Mining', 'Tasks', 'Bonuses']))
  const shown = () => {
    const element = screen.getByRole('img').querySelector('[_echarts_instance_]')
    const option = getInstanceByDom(element as HTMLElement)?.getOption()
    const series = (option?.series ?? []) as ({ id: string } | undefined)[]
    return series.flatMap((one) => one?.id ?? [])
  }
  await expect.poll(shown).toEqual(['Mining', 'Tasks', 'Bonuses'])
  rerender(chartOf(['Mining', 'Bonuses']))
  await expect.poll(shown).toEqual(['Mining', 'Bonuses'])
})
