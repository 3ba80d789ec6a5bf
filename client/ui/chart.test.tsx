import { render, screen } from '@testing-library/react'
import { getInstanceByDom } from 'echarts/core'
import { afterEach, expect, it, vi } from 'vitest'
import './bar-chart.ts'
import { Chart } from './chart.tsx'

afterEach(() => vi.unstubAllGlobals())

const chartOf = (ids: string[]) => (
  <Chart
    label="chart"
    option={{
      xAxis: { type: 'category', data: ['Mon'] },
      yAxis: {},
      series: ids.map((id) => ({ id, type: 'bar', data: [1] })),
    }}
  />
)

function drawn() {
  const element = screen.getByRole('img').querySelector('[_echarts_instance_]')
  return getInstanceByDom(element as HTMLElement)?.getOption()
}

it('a series that has gone is not drawn any more', async () => {
  const { rerender } = render(chartOf(['Mining', 'Tasks', 'Bonuses']))
  const shown = () => {
    const series = (drawn()?.series ?? []) as ({ id: string } | undefined)[]
    return series.flatMap((one) => one?.id ?? [])
  }
  await expect.poll(shown).toEqual(['Mining', 'Tasks', 'Bonuses'])
  rerender(chartOf(['Mining', 'Bonuses']))
  await expect.poll(shown).toEqual(['Mining', 'Bonuses'])
})

it.each([true, false])('a chart stands still if the member prefers it: %s', async (matches) => {
  vi.stubGlobal('matchMedia', () => ({ matches }))
  render(chartOf(['Mining']))
  await expect.poll(() => drawn()?.animation).toBe(!matches)
})
