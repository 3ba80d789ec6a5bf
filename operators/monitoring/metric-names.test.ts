import { expect, it } from 'vitest'
import { hasPromtool, PROMTOOL_NOTE, promtool } from './testing/promtool.ts'
import {
  completeRegistry,
  type RegisteredMetric,
  registeredMetrics,
} from './testing/registered-metrics.ts'

/** What the naming rules of Prometheus forbid; a part of what promtool checks. */
function namingProblems({ name, help, type }: RegisteredMetric): string[] {
  const isTotal = name.endsWith('_total')
  return [
    ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : [`${name}: not in snake case`]),
    ...(help.trim() ? [] : [`${name}: no help`]),
    ...(type === 'counter' && !isTotal ? [`${name}: a counter ends with _total`] : []),
    ...(type !== 'counter' && isTotal ? [`${name}: only counters end with _total`] : []),
    ...(/_(ms|milliseconds|minutes|hours|kb|mb)(_|$)/.test(name) ? [`${name}: no base unit`] : []),
    ...(/_(count|sum|bucket)$/.test(name) ? [`${name}: reserved ending`] : []),
  ]
}

it('every metric follows the naming rules of Prometheus', () => {
  expect(registeredMetrics().flatMap(namingProblems)).toEqual([])
})

it('no metric has a label that Prometheus gives to every target', () => {
  const taken = registeredMetrics().filter(({ labelNames }) =>
    labelNames.some((label) => ['job', 'instance'].includes(label)),
  )
  expect(taken.map(({ name }) => name)).toEqual([])
})

it.each([
  ['requests: a counter ends with _total', { name: 'requests', type: 'counter' }],
  ['sockets_total: only counters end with _total', { name: 'sockets_total', type: 'gauge' }],
  ['delay_ms: no base unit', { name: 'delay_ms', type: 'gauge' }],
])('a wrong name is found: %s', (problem, metric) => {
  expect(namingProblems({ help: 'Help', labelNames: [], ...metric })).toEqual([problem])
})

it.skipIf(!hasPromtool)(`promtool accepts every metric${PROMTOOL_NOTE}`, async () => {
  expect(promtool(['check', 'metrics'], await completeRegistry().metrics())).toBe('')
})
