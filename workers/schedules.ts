import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { jobQueue, KEPT, SHARDS } from './queue.ts'

/** The schedules are written again that often: a wiped Redis knows them within seconds. */
const RENEW_MS = 5_000
const SWEEP_MS = 1_000
const UPKEEP_MS = 15_000
/** A schedule that rings no sooner than that was written before the clock went back. */
const ASTRAY_MS = 30_000

/**
 * Keeps the job schedules in Redis. Postgres knows what is due; these only ring the bell, so each
 * worker may write them, again and again.
 */
export function keepSchedules(redis: Redis, prefix: string, log: Logger) {
  const credit = jobQueue('credit-due', redis, prefix)
  const end = jobQueue('end-sessions', redis, prefix)
  const upkeep = jobQueue('upkeep', redis, prefix)

  async function write() {
    for (let shard = 0; shard < SHARDS; shard++) {
      await credit.upsertJobScheduler(
        `shard-${shard}`,
        { every: SWEEP_MS },
        { name: 'credit-due', data: { shard }, opts: KEPT },
      )
    }
    await end.upsertJobScheduler('end', { every: SWEEP_MS }, { name: 'end-sessions', opts: KEPT })
    await upkeep.upsertJobScheduler('upkeep', { every: UPKEEP_MS }, { name: 'upkeep', opts: KEPT })
  }

  /** BullMQ tells the time by this process: one that went back would wait until it is that late. */
  async function dropAstray(queue: Queue): Promise<void> {
    for (const { key, next = 0 } of await queue.getJobSchedulers()) {
      if (next > Date.now() + ASTRAY_MS) await queue.removeJobScheduler(key)
    }
  }

  async function known(): Promise<boolean> {
    for (const queue of [credit, end, upkeep]) await dropAstray(queue)
    return (
      (await credit.getJobSchedulersCount()) >= SHARDS &&
      (await end.getJobSchedulersCount()) > 0 &&
      (await upkeep.getJobSchedulersCount()) > 0
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
      await Promise.all([credit.close(), end.close(), upkeep.close()])
    },
  }
}
