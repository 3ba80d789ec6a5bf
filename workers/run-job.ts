import type { Job } from 'bullmq'
import { newRequestId, withCause } from '#runtime/logging/request-id'
import type { Context, Handler } from './context.ts'
import type { JobData, JobName } from './queue.ts'

/**
 * Runs a job under the request id of its cause, measures it and logs how it ended. A scheduled job has
 * no cause and gets an id of its own.
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
