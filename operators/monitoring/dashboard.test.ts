import { describe, expect, it } from 'vitest'
import { ALERTS, PANELS } from './testing/monitoring-files.ts'
import { unknownNames } from './testing/promql-names.ts'
import { HOST_METRICS, registeredMetrics } from './testing/registered-metrics.ts'

const metrics = registeredMetrics()
const panels = PANELS.flatMap(({ title, targets }) => (targets ? [{ title, targets }] : []))

it.each(panels)('the panel "$title" asks for metrics and labels that exist', ({ targets }) => {
  expect(targets.flatMap(({ expr }) => unknownNames(expr, metrics))).toEqual([])
})

it.each(panels)('the legends of the panel "$title" name labels of their query', ({ targets }) => {
  for (const { expr, legendFormat } of targets) {
    const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)
    // A query without grouping keeps all labels of its series.
    const isGrouped = /\b(sum|max)\b/.test(expr)
    for (const label of isGrouped ? labels : [])
      expect(expr).toMatch(new RegExp(`by \\([^)]*${label}`))
  }
})

it.each(ALERTS)('the alert $alert asks for metrics and labels that exist', ({ expr }) => {
  expect(unknownNames(expr, [...metrics, ...HOST_METRICS])).toEqual([])
})

describe('names of an expression', () => {
  it.each([
    ['sockets_opened', ['sockets_opened']],
    ['sum(rate(credits_total[5m])) / sum(rate(credit_total[5m]))', ['credit_total']],
    ['sum by (state) (sockets_open)', ['state']],
    ['queue_jobs{status="waiting"}', ['status']],
    [
      'histogram_quantile(0.5, sum by (le) (rate(push_delay_seconds[5m])))',
      ['push_delay_seconds', 'le'],
    ],
    ['max by (instance) (sockets_open) > 5 and on (job) up_total', ['up_total']],
  ])('%s: unknown names are found', (expr, unknown) => {
    expect(unknownNames(expr, metrics)).toEqual(unknown)
  })
})

it('panels of the dashboard neither overlap nor leave the grid', () => {
  const cells = PANELS.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(Math.max(...PANELS.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
})
