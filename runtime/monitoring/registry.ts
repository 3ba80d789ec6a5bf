import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Gauges of prom-client that end with `_total`, which Prometheus reserves for counters. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Not the global registry of prom-client, in which two gateways in one test process would share figures. */
export function createRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  return registry
}

export const metricsIn = (registry: Registry) => ({
  counter: <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] }),
  seconds: <L extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: L[] = [],
  ) => new Histogram({ name, help, buckets, labelNames, registers: [registry] }),
})
