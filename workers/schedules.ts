import type { Queue } from 'bullmq'
import type { Logger } from 'pino'
import { ALL_BUCKETS } from '#rules/buckets'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'
import type { RedisClient } from '#runtime/redis/redis-client'
import { JOB_RETENTION, type JobName, type Jobs, jobQueue } from './queue.ts'

/** Missing schedules are written again, so that a wiped Redis recovers in seconds. */
const CHECK_MS = 5_000
/**
 * A schedule due later than its interval plus this was written before this host's clock moved back. Schedules of
 * each second allow for clocks of hosts that differ by ten seconds.
 */
const FUTURE_MS = 30_000
const aheadMs = (every: number) => every + Math.min(FUTURE_MS, Math.max(10_000, 3 * every))

/** `id` is unique within the job's queue. */
type Schedule = {
  [J in JobName]: { job: J; id: string; every: number; data: Jobs[J] }
}[JobName]

export const SCHEDULES: Schedule[] = [
  { job: 'sweep-credits', id: 'sweep', every: 1_000, data: { buckets: ALL_BUCKETS } },
  { job: 'check-credits', id: 'check', every: MINUTE_MS, data: {} },
  { job: 'end-sessions', id: 'end', every: 1_000, data: {} },
  { job: 'queue-mails', id: 'new-mails', every: 1_000, data: {} },
  { job: 'queue-mails', id: 'lost-mails', every: 15_000, data: { lost: true } },
  { job: 'send-reminders', id: 'reminders', every: 5_000, data: {} },
  // Most runs only see that the board is recent; a new week or an emptied Redis has one after seconds.
  { job: 'rebuild-week-board', id: 'week-board', every: 5_000, data: {} },
  { job: 'read-telegram', id: 'telegram', every: 2_000, data: {} },
  // A day of the ledger is due once a day; the other runs read one small table.
  { job: 'roll-up-ledger', id: 'roll-up', every: MINUTE_MS, data: {} },
  { job: 'seal-ledger', id: 'seal', every: MINUTE_MS, data: {} },
  // Counts the rows of a month, which takes minutes at a million members; a restart ends a run.
  { job: 'seal-ledger', id: 'late-rows', every: 6 * HOUR_MS, data: { lateRows: true } },
  { job: 'maintenance', id: 'maintenance', every: 15_000, data: {} },
]

/** Schedules only trigger jobs; what is due is stored in Postgres. Every workers process writes the same ones. */
export async function keepSchedules(redis: RedisClient, prefix: string, log: Logger) {
  const jobs = [...new Set(SCHEDULES.map(({ job }) => job))]
  const queues = new Map<JobName, Queue>()
  for (const job of jobs) queues.set(job, await jobQueue(job, redis, prefix))

  async function write() {
    // A run may take longer than its interval, and every process runs jobs. First, because after the schedules
    // nothing would notice that it failed.
    await queues.get('rebuild-week-board')?.setGlobalConcurrency(1)
    for (const { job, id, every, data } of SCHEDULES) {
      const template = { name: job, data, opts: JOB_RETENTION }
      await queues.get(job)?.upsertJobScheduler(id, { every }, template)
    }
  }

  /**
   * BullMQ schedules by this host's clock: after it moves back, schedules lie in the future and are made again.
   * Ids of another release stay: its processes may run beside these during an upgrade.
   */
  async function areComplete(): Promise<boolean> {
    const found = new Set<string>()
    for (const [job, queue] of queues) {
      for (const { key, next = 0, every = 0 } of await queue.getJobSchedulers()) {
        if (next > Date.now() + aheadMs(Number(every))) await queue.removeJobScheduler(key)
        else found.add(`${job} ${key}`)
      }
    }
    return SCHEDULES.every(({ job, id }) => found.has(`${job} ${id}`))
  }

  await write()
  let pending: Promise<void> | undefined
  const timer = setInterval(() => {
    pending ??= areComplete()
      .then((complete) => (complete ? undefined : write()))
      .catch((err) => log.warn({ err }, 'job schedules not written; next try in 5 s'))
      .finally(() => {
        pending = undefined
      })
  }, CHECK_MS)

  return {
    async close() {
      clearInterval(timer)
      await pending
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}
