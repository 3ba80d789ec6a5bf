import type { Registry } from 'prom-client'
import { connect } from '#db/engine/connect'
import { watchPool } from '#db/postgres/connection/pool-metrics'
import { gatewayMetrics } from '#gateway/services/gateway-metrics'
import { createRegistry } from '#runtime/monitoring/registry'
import { workersMetrics } from '#workers/monitoring/workers-metrics'

/** A metric as prom-client holds it; its types leave out the type and the labels. */
export type RegisteredMetric = { name: string; help: string; type: string; labelNames: string[] }

/** A registry with every metric of both roles; nothing behind it runs. */
export function completeRegistry(): Registry {
  const registry = createRegistry()
  gatewayMetrics(registry)
  // The pool opens no connection before its first query.
  const db = connect('postgres://localhost:1/none')
  workersMetrics(registry, db, [])
  watchPool(registry, 'gateway', db)
  return registry
}

const DISK_LABELS = ['device', 'fstype', 'mountpoint']

/** What alerts use of Prometheus itself and of its node exporter. */
export const HOST_METRICS: RegisteredMetric[] = [
  ['node_filesystem_avail_bytes', DISK_LABELS] as const,
  ['node_filesystem_size_bytes', DISK_LABELS] as const,
  ['node_systemd_unit_state', ['instance', 'name', 'state']] as const,
  ['up', ['instance', 'job']] as const,
].map(([name, labelNames]) => ({
  name,
  help: 'of the host',
  type: 'gauge',
  labelNames: [...labelNames],
}))

/** Every metric that a process of the product serves. */
export function registeredMetrics(): RegisteredMetric[] {
  return completeRegistry().getMetricsAsArray() as unknown as RegisteredMetric[]
}
