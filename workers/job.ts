import type { Job, Queue } from 'bullmq'
import type { Logger } from 'pino'
import type { Db } from '#db/postgres/statements/transaction'
import type { Config } from '#runtime/config/config'
import { newRequestId, withCause } from '#runtime/logging/request-id'
import type { Tracing } from '#runtime/monitoring/tracing'
import type { ChangeChannel } from '#runtime/pubsub'
import type { RedisClient } from '#runtime/redis/redis-client'
import type { Mailer } from './mailer.ts'
import type { WorkersMetrics } from './monitoring/workers-metrics.ts'
import type { JobData, JobName, Jobs } from './queue.ts'

/** What job handlers work with, opened once by the process. */
export type Context = {
  config: Config
  db: Db
  /** For requests: it fails within 2 s while Redis is away. */
  redis: RedisClient
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

/**
 * Runs a job under the request id of its cause, measures it and logs how it ended. A scheduled job has
 * no cause and gets a new id.
 * @throws the handler's error, for the queue
 */
export function runJob<J extends JobName>(
  context: Context,
  handler: Handler<J>,
  { name, data, id }: Pick<Job<JobData<J>, void, string>, 'name' | 'data' | 'id'>,
): Promise<void> {
  const { metrics, log, tracing } = context
  const { requestId = newRequestId(), traceparent } = data ?? {}
  const run = async () => {
    const end = metrics.jobSeconds.startTimer({ queue: name })
    try {
      await handler(context, data, id)
      log.debug({ job: name, seconds: end() }, 'job finished')
    } catch (err) {
      end()
      metrics.jobsFailed.inc({ queue: name })
      log.error({ err, job: name }, 'job failed; the queue retries it if attempts are left')
      throw err
    }
  }
  return withCause({ requestId, traceparent }, () => tracing.span('consumer', name, run))
}
