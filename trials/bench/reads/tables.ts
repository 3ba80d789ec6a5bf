import type { BenchTable } from '#trials/bench/result'
import type { Measurement } from './measurements.ts'

const PROCESSES = ['server', 'postgres', 'redis', 'load'] as const
/** Answers without session and database; it would squeeze the other bars of the plot. */
const CEILING = 'bare Koa "ok"'

/**
 * Requests a second with the goals of the part; latencies and CPU time of the same rounds. The goal of
 * stop and start is in the part `versions`.
 * @param measured of each shape the warm-ups and then the rounds
 */
export function readTables(measured: Record<string, Measurement[]>, rounds: number): BenchTable[] {
  const shapes = Object.entries(measured).map(([label, all]) => ({
    label,
    each: all.slice(-rounds),
  }))
  const requests = shapes.map(({ label, each }) => ({
    label,
    values: each.map(({ perSecond }) => perSecond),
  }))
  const latency = shapes.flatMap(({ label, each }) => [
    { label: `${label}, p50`, values: each.map(({ p50Ms }) => p50Ms) },
    { label: `${label}, p99`, values: each.map(({ p99Ms }) => p99Ms) },
  ])
  const cpu = shapes.flatMap(({ label, each }) =>
    PROCESSES.map((name) => ({
      label: `${label}: ${name}`,
      values: each.map((one) => one.cpu[name]),
    })),
  )
  const unit = 'requests/s'
  return [
    {
      id: 'requests',
      title: 'Requests a second',
      unit,
      higherIsBetter: true,
      rows: requests.filter(({ label }) => label !== CEILING),
      ratios: [
        { of: 'product, status', to: 'Fastify, status', goal: { atLeast: 1 } },
        { of: 'product, status', to: 'bare Koa, status' },
        { of: 'product, wallet', to: 'Fastify, wallet', goal: { atLeast: 1 } },
        { of: 'product, wallet', to: 'bare Koa, wallet' },
        { of: 'product, unchanged status (304)', to: 'product, status', goal: { atLeast: 5 } },
      ],
    },
    {
      id: 'ceiling',
      title: 'A text without session and database',
      unit,
      higherIsBetter: true,
      rows: requests.filter(({ label }) => label === CEILING),
    },
    {
      id: 'cpu',
      title: 'CPU time of a request by process',
      unit: 'µs',
      higherIsBetter: false,
      rows: cpu,
    },
    {
      id: 'latency',
      title: 'Latency at this load',
      unit: 'ms',
      higherIsBetter: false,
      rows: latency,
    },
  ]
}
