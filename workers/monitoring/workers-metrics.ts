import { Gauge, type Registry } from 'prom-client'
import { stepRecords } from '#db/ledger/steps'
import { creditLagSeconds } from '#db/mining/credit-lag'
import type { Db } from '#db/postgres/statements/transaction'
import { metricsIn } from '#runtime/monitoring/registry'
import { orNothing } from '#runtime/or-nothing'
import {
  countJobs,
  type JobCounter,
  type ProductFigures,
  productFigures,
} from './product-figures.ts'

const READ_TIMEOUT_MS = 2_000

/** In seconds. If it cannot be read, nothing can be credited either: the last lag plus the time since then. */
function risingLag(db: Db): () => Promise<number> {
  let last = { lag: 0, at: performance.now() }
  return async () => {
    const lag = await orNothing(creditLagSeconds(db), READ_TIMEOUT_MS)
    const at = performance.now()
    if (lag === undefined) return last.lag + (at - last.at) / 1_000
    last = { lag, at }
    return lag
  }
}

/** Gauges of the whole product, which every workers process reads from Postgres. */
const FIGURES: Record<keyof ProductFigures, [name: string, help: string]> = {
  sessionsActive: ['sessions_active', 'Sessions that mine now'],
  tespPerSecond: [
    'mining_tesp_per_second',
    'TESP that the active sessions earn in a second of product time',
  ],
  sessionsQuarantined: ['sessions_quarantined', 'Sessions that sweeps skip until released'],
  strayRows: ['ledger_stray_rows', 'Ledger rows in the default partition'],
  mailsWaiting: ['mails_waiting', 'Mails that wait to be sent, without reminders'],
  mailsFailed: ['mails_failed', 'Mails that failed permanently'],
  remindersWaiting: ['reminders_waiting', 'Reminders that wait to be sent'],
}

/** One read for all gauges of a scrape. */
function sharedFigures(db: Db): () => Promise<ProductFigures | undefined> {
  let reading: Promise<ProductFigures | undefined> | undefined
  return () => {
    reading ??= orNothing(productFigures(db), READ_TIMEOUT_MS).finally(() => {
      reading = undefined
    })
    return reading
  }
}

type Row = [labels: Record<string, string>, value: number]

async function queueJobs(queue: JobCounter): Promise<Row[]> {
  const counts = Object.entries(await countJobs(queue))
  return counts.map(([state, jobs]) => [{ queue: queue.name, state }, jobs])
}

export function workersMetrics(registry: Registry, db: Db, queues: JobCounter[]) {
  const { counter, seconds } = metricsIn(registry)
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  const table = (name: string, help: string, labelNames: string[], read: () => Promise<Row[]>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset()
        for (const row of (await orNothing(read(), READ_TIMEOUT_MS)) ?? []) this.set(...row)
      },
    })
  const readFigures = sharedFigures(db)
  for (const [key, [name, help]] of Object.entries(FIGURES)) {
    // A figure that cannot be read is NaN: the last one would look like a current one.
    gauge(
      name,
      help,
      async () => (await readFigures())?.[key as keyof ProductFigures] ?? Number.NaN,
    )
  }
  gauge('credit_lag_seconds', 'Age of the oldest interval not credited yet', risingLag(db))
  table(
    'maintenance_steps',
    'Steps of work on old rows that were taken, by work',
    ['work'],
    async () => (await stepRecords(db)).map(({ work, steps }) => [{ work }, steps]),
  )
  table('queue_jobs', 'Jobs of a queue, by state', ['queue', 'state'], async () =>
    (await Promise.all(queues.map(queueJobs))).flat(),
  )
  return {
    registry,
    creditsTotal: counter('credits_total', 'Intervals that this process credited'),
    jobsFailed: counter('jobs_failed_total', 'Failed job runs, by queue', ['queue']),
    jobSeconds: seconds(
      'job_seconds',
      'Time of a job run, failed ones included, by queue',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15],
      ['queue'],
    ),
    reminders: counter('reminders_total', 'Reminders of ended sessions, by channel and result', [
      'channel',
      'result',
    ]),
    mails: counter(
      'mail_attempts_total',
      'Attempts to send a mail, by result: sent, failed (retried), rejected (final) or skipped (address refused)',
      ['result'],
    ),
  }
}

export type WorkersMetrics = ReturnType<typeof workersMetrics>
