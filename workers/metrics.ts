import { Counter, Gauge, type Registry } from 'prom-client'

/** Registers what a workers process measures. */
export function workersMetrics(registry: Registry) {
  const registers = [registry]
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  return {
    registry,
    creditsTotal: new Counter({
      name: 'credits_total',
      help: 'Intervals that this process credited',
      registers,
    }),
    jobsFailed: new Counter({
      name: 'jobs_failed_total',
      help: 'Failed job runs',
      labelNames: ['job'],
      registers,
    }),
    /** Seconds of product time. */
    creditLag: gauge('credit_lag_seconds', 'Age of the oldest interval not credited yet'),
    sessionsQuarantined: gauge('sessions_quarantined', 'Sessions that sweeps skip until released'),
    strayRows: gauge('ledger_stray_rows', 'Ledger rows in the default partition'),
    mailsWaiting: gauge('mails_waiting', 'Mails that wait to be sent'),
    mailsFailed: gauge('mails_failed', 'Mails that failed permanently'),
  }
}

export type WorkersMetrics = ReturnType<typeof workersMetrics>
