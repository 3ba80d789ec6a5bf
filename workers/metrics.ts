import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, Gauge, type Registry } from 'prom-client'

/** Time after which a scrape does not wait for Postgres any longer. */
const LAG_TIMEOUT_MS = 2_000

/**
 * Reads the credit lag, in seconds. If it cannot be read, nothing can be credited either: the lag is
 * the last one plus the time since then.
 */
function risingLag(readLag: () => Promise<number>): () => Promise<number> {
  let last = { lag: 0, at: performance.now() }
  return async () => {
    const timeout = new AbortController()
    const late = sleep(LAG_TIMEOUT_MS, undefined, { signal: timeout.signal, ref: false })
    const lag = await Promise.race([readLag(), late]).catch(() => undefined)
    timeout.abort()
    late.catch(() => {})
    const at = performance.now()
    if (lag === undefined) return last.lag + (at - last.at) / 1_000
    last = { lag, at }
    return lag
  }
}

/**
 * Registers what a workers process measures. `readLag` reads the credit lag at each scrape, so that
 * it rises while no job runs.
 */
export function workersMetrics(registry: Registry, readLag: () => Promise<number>) {
  const registers = [registry]
  const lag = risingLag(readLag)
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
    creditLag: new Gauge({
      name: 'credit_lag_seconds',
      help: 'Age of the oldest interval not credited yet',
      registers,
      async collect() {
        this.set(await lag())
      },
    }),
    sessionsQuarantined: gauge('sessions_quarantined', 'Sessions that sweeps skip until released'),
    strayRows: gauge('ledger_stray_rows', 'Ledger rows in the default partition'),
    mailsWaiting: gauge('mails_waiting', 'Mails that wait to be sent'),
    mailsFailed: gauge('mails_failed', 'Mails that failed permanently'),
  }
}

export type WorkersMetrics = ReturnType<typeof workersMetrics>
