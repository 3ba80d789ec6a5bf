import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { StepRecord } from '#db/ledger/steps'
import { orNothing } from '#runtime/or-nothing'
import type { ProductFigures, QueueJobs } from './product-figures.ts'

const READ_TIMEOUT_MS = 2_000

/** In seconds. If it cannot be read, nothing can be credited either: the last lag plus the time since then. */
function risingLag(readLag: () => Promise<number>): () => Promise<number> {
  let last = { lag: 0, at: performance.now() }
  return async () => {
    const lag = await orNothing(readLag(), READ_TIMEOUT_MS)
    const at = performance.now()
    if (lag === undefined) return last.lag + (at - last.at) / 1_000
    last = { lag, at }
    return lag
  }
}

export type ScrapeReads = {
  /** Seconds of product time. */
  creditLag(): Promise<number>
  figures(): Promise<ProductFigures>
  queueJobs(): Promise<QueueJobs[]>
  steps(): Promise<StepRecord[]>
}

/** Gauges of the whole product, which every workers process reads from Postgres. */
const FIGURES: Record<keyof ProductFigures, { name: string; help: string }> = {
  sessionsActive: { name: 'sessions_active', help: 'Sessions that mine now' },
  tespPerSecond: {
    name: 'mining_tesp_per_second',
    help: 'TESP that the active sessions earn in a second of product time',
  },
  sessionsQuarantined: {
    name: 'sessions_quarantined',
    help: 'Sessions that sweeps skip until released',
  },
  strayRows: { name: 'ledger_stray_rows', help: 'Ledger rows in the default partition' },
  mailsWaiting: { name: 'mails_waiting', help: 'Mails that wait to be sent, without reminders' },
  mailsFailed: { name: 'mails_failed', help: 'Mails that failed permanently' },
  remindersWaiting: { name: 'reminders_waiting', help: 'Reminders that wait to be sent' },
}

/** A figure that cannot be read is NaN: the last one would look like a current one. */
function registerFigures(registry: Registry, read: ScrapeReads['figures']): void {
  let reading: Promise<ProductFigures | undefined> | undefined
  const readOnce = () => {
    reading ??= orNothing(read(), READ_TIMEOUT_MS).finally(() => {
      reading = undefined
    })
    return reading
  }
  for (const [key, { name, help }] of Object.entries(FIGURES)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set((await readOnce())?.[key as keyof ProductFigures] ?? Number.NaN)
      },
    })
  }
}

export function workersMetrics(registry: Registry, reads: ScrapeReads) {
  const registers = [registry]
  const lag = risingLag(reads.creditLag)
  registerFigures(registry, reads.figures)
  new Gauge({
    name: 'credit_lag_seconds',
    help: 'Age of the oldest interval not credited yet',
    registers,
    async collect() {
      this.set(await lag())
    },
  })
  new Gauge({
    name: 'maintenance_steps',
    help: 'Steps of work on old rows that were taken, by work',
    labelNames: ['work'],
    registers,
    async collect() {
      this.reset()
      for (const { work, steps } of (await orNothing(reads.steps(), READ_TIMEOUT_MS)) ?? [])
        this.set({ work }, steps)
    },
  })
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs of a queue, by state',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset()
      for (const { queue, state, jobs } of (await orNothing(reads.queueJobs(), READ_TIMEOUT_MS)) ??
        []) {
        this.set({ queue, state }, jobs)
      }
    },
  })
  return {
    registry,
    creditsTotal: new Counter({
      name: 'credits_total',
      help: 'Intervals that this process credited',
      registers,
    }),
    jobsFailed: new Counter<'queue'>({
      name: 'jobs_failed_total',
      help: 'Failed job runs, by queue',
      labelNames: ['queue'],
      registers,
    }),
    jobSeconds: new Histogram<'queue'>({
      name: 'job_seconds',
      help: 'Time of a job run, failed ones included, by queue',
      labelNames: ['queue'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
      registers,
    }),
    reminders: new Counter<'channel' | 'result'>({
      name: 'reminders_total',
      help: 'Reminders of ended sessions, by channel and result',
      labelNames: ['channel', 'result'],
      registers,
    }),
    mails: new Counter<'result'>({
      name: 'mail_attempts_total',
      help: 'Attempts to send a mail, by result: sent, failed (retried), rejected (final) or skipped (address refused)',
      labelNames: ['result'],
      registers,
    }),
  }
}

export type WorkersMetrics = ReturnType<typeof workersMetrics>
