import { randomUUID } from 'node:crypto'
import type { Job, Queue } from 'bullmq'
import type { Logger } from 'pino'
import type { Db } from '#db/postgres/statements/transaction'
import type { Config } from '#runtime/config/config'
import type { Cause, Tracing } from '#runtime/monitoring/tracing'
import type { ChangeChannel } from '#runtime/pubsub'
import type { RedisClient } from '#runtime/redis/redis-client'
import type { Mailer } from './mailer.ts'
import type { WorkersMetrics } from './monitoring/workers-metrics.ts'
import type { JobData, JobName, Jobs } from './queue.ts'

/** What job handlers work with. The process opens it once; log, changes and cause are those of the job. */
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
  /** For the data of jobs that the job adds. */
  cause: Cause
  /** Aborted at shutdown: long work ends at its next safe point. */
  stopping: AbortSignal
}

/** A job's code: idempotent and safe to run late. A test calls it as a plain function, without a job id. */
export type Handler<J extends JobName> = (
  context: Context,
  data: Jobs[J],
  jobId?: string,
) => Promise<void>

/** Runs a job under the request id of its cause, or a new one. @throws the handler's error, for the queue */
export function runJob<J extends JobName>(
  context: Context,
  handler: Handler<J>,
  { name, data, id }: Pick<Job<JobData<J>, void, string>, 'name' | 'data' | 'id'>,
): Promise<void> {
  const { metrics, tracing } = context
  const { requestId = randomUUID(), traceparent } = data ?? {}
  const log = context.log.child({ requestId })
  const run = async ({ cause }: { cause: Cause }) => {
    const changes = context.changes.causedBy(cause)
    const end = metrics.jobSeconds.startTimer({ queue: name })
    try {
      await handler({ ...context, log, changes, cause }, data, id)
      log.debug({ job: name, seconds: end() }, 'job finished')
    } catch (err) {
      end()
      metrics.jobsFailed.inc({ queue: name })
      log.error({ err, job: name }, 'job failed; the queue retries it if attempts are left')
      throw err
    }
  }
  return tracing.span('CONSUMER', name, { requestId, traceparent }, run)
}
