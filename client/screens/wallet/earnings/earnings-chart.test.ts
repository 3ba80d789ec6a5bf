import { afterEach, expect, it } from 'vitest'
import { daysUntil } from '#client/screens/testing/earnings.ts'
import { earningsOption } from './earnings-chart.tsx'

const root = document.documentElement
afterEach(() => root.style.removeProperty('font-size'))

const optionOf = (count: number) => {
  const days = daysUntil('2026-03-01', count, () => ({})).map(({ day }) => day)
  return earningsOption({ label: '', token: 'TESP', days, bars: [] })
}

function labelsOf(count: number): string[] {
  const { xAxis } = optionOf(count)
  return xAxis.data.flatMap((day, index) =>
    xAxis.axisLabel.interval(index) ? xAxis.axisLabel.formatter(day, index) : [],
  )
}

it('every day of a week is labelled by its UTC weekday', () => {
  root.style.fontSize = '16px'
  expect(labelsOf(7)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
})

it('longer periods label the first, the middle and the last day', () => {
  expect(labelsOf(30)).toEqual(['Jan 31', 'Feb 15', 'Mar 1'])
  expect(labelsOf(90)).toEqual(['Dec 2', 'Jan 16', 'Mar 1'])
})

it('large text has room for three weekdays or two dates', () => {
  root.style.fontSize = '32px'
  expect(labelsOf(7)).toEqual(['Mon', 'Thu', 'Sun'])
  expect(labelsOf(90)).toEqual(['Dec 2', 'Mar 1'])
})

it('labels wider than their bars stay inside of the chart', () => {
  root.style.fontSize = '16px'
  expect(optionOf(7).xAxis.axisLabel).not.toHaveProperty('alignMaxLabel')
  expect(optionOf(30).xAxis.axisLabel).toHaveProperty('alignMaxLabel', 'right')
  root.style.fontSize = '32px'
  expect(optionOf(7).xAxis.axisLabel).toHaveProperty('alignMaxLabel', 'right')
})

it('amounts beside the bars are short', () => {
  const { formatter } = optionOf(7).yAxis.axisLabel
  expect([0, 0.03, 1e-7, -2, 2_500, 5e10].map(formatter)).toEqual([
    '0',
    '0.03',
    '0.0000001',
    '-2',
    '2.5K',
    '50B',
  ])
})
