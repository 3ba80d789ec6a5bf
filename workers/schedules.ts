import type { Queue } from 'bullmq'
import type { Logger } from 'pino'
import type { RedisClient } from '#db/process/redis/redis-client'
import { ALL_BUCKETS } from '#rules/buckets'
import { jobQueue } from './job-queue.ts'
import { JOB_RETENTION } from './queue.ts'

/**
 * Interval at which missing schedules are written again, so that a wiped Redis recovers in seconds.
 */
const CHECK_MS = 5_000
const SWEEP_MS = 1_000
const CHECK_CREDITS_MS = 60_000
const REMINDERS_MS = 5_000
const MAINTENANCE_MS = 15_000
/** A day of the ledger is due once a day; the other runs read one small table. */
const ROLL_UP_MS = 60_000
const SEAL_MS = 60_000
/**
 * A schedule due later than its interval and this was written before this host's clock moved back.
 */
const FUTURE_MS = 30_000

/**
 * Keeps the job schedules in Redis. They only trigger jobs; what is due is stored in Postgres.
 * Every workers process writes the same schedules, which is idempotent.
 */
export function keepSchedules(redis: RedisClient, prefix: string, log: Logger) {
  const sweep = jobQueue('sweep-credits', redis, prefix)
  const check = jobQueue('check-credits', redis, prefix)
  const end = jobQueue('end-sessions', redis, prefix)
  const reminders = jobQueue('send-reminders', redis, prefix)
  const rollUp = jobQueue('roll-up-ledger', redis, prefix)
  const seal = jobQueue('seal-ledger', redis, prefix)
  const maintenance = jobQueue('maintenance', redis, prefix)
  const queues = [sweep, check, end, reminders, rollUp, seal, maintenance]

  async function write() {
    await sweep.upsertJobScheduler(
      'sweep',
      { every: SWEEP_MS },
      { name: 'sweep-credits', data: { buckets: ALL_BUCKETS }, opts: JOB_RETENTION },
    )
    await check.upsertJobScheduler(
      'check',
      { every: CHECK_CREDITS_MS },
      { name: 'check-credits', opts: JOB_RETENTION },
    )
    await end.upsertJobScheduler(
      'end',
      { every: SWEEP_MS },
      { name: 'end-sessions', opts: JOB_RETENTION },
    )
    await reminders.upsertJobScheduler(
      'reminders',
      { every: REMINDERS_MS },
      { name: 'send-reminders', opts: JOB_RETENTION },
    )
    await rollUp.upsertJobScheduler(
      'roll-up',
      { every: ROLL_UP_MS },
      { name: 'roll-up-ledger', opts: JOB_RETENTION },
    )
    await seal.upsertJobScheduler(
      'seal',
      { every: SEAL_MS },
      { name: 'seal-ledger', opts: JOB_RETENTION },
    )
    await maintenance.upsertJobScheduler(
      'maintenance',
      { every: MAINTENANCE_MS },
      { name: 'maintenance', opts: JOB_RETENTION },
    )
  }

  /**
   * BullMQ schedules by this host's clock. After the clock moves back, schedules lie in the future;
   * drops them so that they are created again.
   */
  async function dropFutureSchedules(queue: Queue): Promise<void> {
    for (const { key, next = 0, every = 0 } of await queue.getJobSchedulers()) {
      if (next > Date.now() + Number(every) + FUTURE_MS) await queue.removeJobScheduler(key)
    }
  }

  async function areComplete(): Promise<boolean> {
    for (const queue of queues) {
      await dropFutureSchedules(queue)
      if ((await queue.getJobSchedulersCount()) === 0) return false
    }
    return true
  }

  let pending: Promise<void> = write()
  let isWriting = false
  const timer = setInterval(() => {
    if (isWriting) return
    isWriting = true
    pending = areComplete()
      .then((complete) => (complete ? undefined : write()))
      .catch((err) => log.warn({ err }, 'job schedules not written; next try in 5 s'))
      .finally(() => {
        isWriting = false
      })
  }, CHECK_MS)

  return {
    ready: pending,
    async close() {
      clearInterval(timer)
      await pending.catch(() => {})
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}
