import type { Queue } from 'bullmq'
import type { Logger } from 'pino'
import type { Db } from '#db/postgres/statements/transaction'
import type { ChangeChannel } from '#runtime/change-channel'
import type { Config } from '#runtime/config/config'
import type { Tracing } from '#runtime/monitoring/tracing'
import type { Mailer } from './mailer.ts'
import type { WorkersMetrics } from './monitoring/workers-metrics.ts'
import type { JobData, JobName, Jobs } from './queue.ts'

/** What job handlers work with, opened once by the process. */
export type Context = {
  config: Config
  db: Db
  changes: ChangeChannel
  mailer: Mailer
  mailQueue: Queue<JobData<'send-mail'>, void, string>
  sweepQueue: Queue<JobData<'sweep-credits'>, void, string>
  metrics: WorkersMetrics
  tracing: Tracing
  log: Logger
  /** Aborted at shutdown: long work ends at its next safe point. */
  stopping: AbortSignal
}

/**
 * A job's code: safe to run twice or late, and callable as a plain function, then without the id that
 * the job has in its queue.
 */
export type Handler<J extends JobName> = (
  context: Context,
  data: Jobs[J],
  jobId?: string,
) => Promise<void>
