import type { Queue } from 'bullmq'
import { limitOf } from '#operators/ops/arguments'
import type { ListCommand, OpsCall, Row } from '#operators/ops/command'
import type { JobName } from '#queue'
import { RuleError } from '#rules/rule-error'
import { redisForRequests } from '#runtime/redis'
import { jobQueue } from '#workers/job-queue'

/** Every queue; the type checks that none is missing. */
const JOBS: Record<JobName, true> = {
  'sweep-credits': true,
  'check-credits': true,
  'end-sessions': true,
  'send-mail': true,
  'send-reminders': true,
  'roll-up-ledger': true,
  'seal-ledger': true,
  maintenance: true,
}

/** Reads rows of every queue. */
async function ofQueues(
  { config, redisUrl }: OpsCall,
  read: (name: string, queue: Queue) => Promise<Row[]>,
): Promise<Row[]> {
  if (!redisUrl) throw new RuleError('bad_input', 'Set REDIS_URL to see the queues')
  const redis = redisForRequests(redisUrl)
  const rows: Row[] = []
  try {
    for (const name of Object.keys(JOBS) as JobName[]) {
      const queue = jobQueue(name, redis, config.redisPrefix)
      rows.push(...(await read(name, queue)))
      await queue.close()
    }
    return rows
  } finally {
    redis.disconnect()
  }
}

export const queues: ListCommand = {
  does: 'jobs of each queue by state',
  list: (call) =>
    ofQueues(call, async (name, queue) => {
      const { waiting, active, delayed, failed } = await queue.getJobCounts()
      return [{ queue: name, waiting, active, delayed, failed }]
    }),
}

export const queuesFailed: ListCommand = {
  takes: '[--limit <n>]',
  does: 'the newest failed jobs of each queue, 10 without --limit',
  list: (call) =>
    ofQueues(call, async (name, queue) =>
      (await queue.getFailed(0, limitOf(call, 10) - 1)).map((job) => ({
        queue: name,
        job: job.id,
        failedAt: job.finishedOn === undefined ? null : new Date(job.finishedOn),
        reason: job.failedReason,
        data: job.data,
      })),
    ),
}
