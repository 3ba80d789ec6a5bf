import { Counter, Gauge, register } from 'prom-client'

/** Makes a metric once a process, also where gateway and workers share one. */
function once<T>(name: string, make: () => T): T {
  return (register.getSingleMetric(name) as T | undefined) ?? make()
}

const gauge = (name: string, help: string) => once(name, () => new Gauge({ name, help }))

export const creditsTotal = once(
  'credits_total',
  () => new Counter({ name: 'credits_total', help: 'Intervals that this process credited' }),
)
export const jobsFailed = once(
  'jobs_failed_total',
  () => new Counter({ name: 'jobs_failed_total', help: 'Failed job runs', labelNames: ['job'] }),
)
export const creditLag = gauge('credit_lag_seconds', 'Age of the oldest interval not credited yet')
export const strayRows = gauge('ledger_stray_rows', 'Ledger rows in the default partition')
export const mailsWaiting = gauge('mails_waiting', 'Mails that wait to be sent')
export const mailsFailed = gauge('mails_failed', 'Mails that were given up')
