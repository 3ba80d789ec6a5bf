import { collectDefaultMetrics, Registry } from 'prom-client'

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
