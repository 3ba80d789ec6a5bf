import { collectDefaultMetrics, Registry } from 'prom-client'

/** Gauges of prom-client that end with `_total`, which Prometheus reserves for counters. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/**
 * A registry with the metrics of the Node process (CPU, memory, event loop); roles that run in one
 * process share it. The global registry of prom-client is not used: importing a file must not
 * register anything, and two gateways in one test process must not share figures.
 */
export function createRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  return registry
}
