import { register } from 'prom-client'
import { expect, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { gatewayMetrics } from '#gateway/services/gateway-metrics'
import { workersMetrics } from '#workers/monitoring/workers-metrics'
import { createRegistry } from './registry.ts'

const namesIn = (text: string) => [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name)

it('gateway and workers that share a process register all metrics in one registry', async () => {
  const registry = createRegistry()
  gatewayMetrics(registry)
  // Nothing listens there: the figures are not read.
  workersMetrics(registry, connect('postgres://localhost:1/none'), [])
  expect(namesIn(await registry.metrics())).toEqual(
    expect.arrayContaining([
      'http_request_seconds',
      'sockets_open',
      'process_cpu_user_seconds_total',
      'credits_total',
      'jobs_failed_total',
      'credit_lag_seconds',
      'ledger_stray_rows',
      'mails_waiting',
      'mails_failed',
    ]),
  )
})

it('the global registry of prom-client stays empty', async () => {
  expect(namesIn(await register.metrics())).toEqual([])
})
