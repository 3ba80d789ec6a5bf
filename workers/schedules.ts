import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { SHARDS } from '#rules/constants'
import { JOB_RETENTION, jobQueue } from './queue.ts'

/** The schedules are written again that often: a wiped Redis knows them within seconds. */
const RENEW_MS = 5_000
const SWEEP_MS = 1_000
const MAINTENANCE_MS = 15_000
/** A schedule that rings no sooner than that was written before the clock went back. */
const FUTURE_MS = 30_000

/**
 * Keeps the job schedules in Redis. Postgres knows what is due; these only ring the bell, so each
 * worker may write them, again and again.
 */
export function keepSchedules(redis: Redis, prefix: string, log: Logger) {
  const credit = jobQueue('credit-due', redis, prefix)
  const end = jobQueue('end-sessions', redis, prefix)
  const maintenance = jobQueue('maintenance', redis, prefix)

  async function write() {
    for (let shard = 0; shard < SHARDS; shard++) {
      await credit.upsertJobScheduler(
        `shard-${shard}`,
        { every: SWEEP_MS },
        { name: 'credit-due', data: { shard }, opts: JOB_RETENTION },
      )
    }
    await end.upsertJobScheduler(
      'end',
      { every: SWEEP_MS },
      { name: 'end-sessions', opts: JOB_RETENTION },
    )
    await maintenance.upsertJobScheduler(
      'maintenance',
      { every: MAINTENANCE_MS },
      { name: 'maintenance', opts: JOB_RETENTION },
    )
  }

  /** BullMQ tells the time by this process: one that went back would wait until it is that late. */
  async function dropFutureSchedules(queue: Queue): Promise<void> {
    for (const { key, next = 0 } of await queue.getJobSchedulers()) {
      if (next > Date.now() + FUTURE_MS) await queue.removeJobScheduler(key)
    }
  }

  async function known(): Promise<boolean> {
    for (const queue of [credit, end, maintenance]) await dropFutureSchedules(queue)
    return (
      (await credit.getJobSchedulersCount()) >= SHARDS &&
      (await end.getJobSchedulersCount()) > 0 &&
      (await maintenance.getJobSchedulersCount()) > 0
    )
  }

  let busy: Promise<void> = write()
  let writing = false
  const timer = setInterval(() => {
    if (writing) return
    writing = true
    busy = known()
      .then((all) => (all ? undefined : write()))
      .catch((error) => log.warn({ err: error }, 'schedules were not written'))
      .finally(() => {
        writing = false
      })
  }, RENEW_MS)

  return {
    ready: busy,
    async close() {
      clearInterval(timer)
      await busy.catch(() => {})
      await Promise.all([credit.close(), end.close(), maintenance.close()])
    },
  }
}
