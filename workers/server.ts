import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'bullmq'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { connect } from '#db/engine/connect'
import { startMetricsServer } from '#db/metrics-server'
import { watchPool } from '#db/postgres/connection/pool-metrics'
import type { Config } from '#runtime/config/config'
import { createLog, logConnection } from '#runtime/log'
import { createRegistry } from '#runtime/monitoring/registry'
import { startTracing } from '#runtime/monitoring/tracing'
import { ChangeChannel } from '#runtime/pubsub'
import { redisForQueues, redisForRequests } from '#runtime/redis'
import { warnOfEviction } from '#runtime/redis/eviction'
import { listProcess } from '#runtime/redis/process-list'
import type { RedisClient } from '#runtime/redis/redis-client'
import { type Context, type Handler, runJob } from './job.ts'
import { endSessionsDue } from './jobs/end-sessions.ts'
import { rollUpOldDays, sealDays } from './jobs/ledger-days.ts'
import { maintenance } from './jobs/maintenance.ts'
import { queueMails } from './jobs/queue-mails.ts'
import { readTelegram } from './jobs/read-telegram.ts'
import { rebuildWeekBoard } from './jobs/rebuild-week-board.ts'
import { sendMail } from './jobs/send-mail.ts'
import { sendReminders } from './jobs/send-reminders.ts'
import { checkCredits, sweepCredits } from './jobs/sweep-credits.ts'
import { createMailer } from './mailer.ts'
import { workersMetrics } from './monitoring/workers-metrics.ts'
import { type JobName, jobQueue, queuePrefix } from './queue.ts'
import { keepSchedules } from './schedules.ts'

const JOBS: { [J in JobName]: { handler: Handler<J>; concurrency: number } } = {
  'sweep-credits': { handler: sweepCredits, concurrency: 2 },
  'check-credits': { handler: checkCredits, concurrency: 1 },
  'end-sessions': { handler: endSessionsDue, concurrency: 1 },
  'send-reminders': { handler: sendReminders, concurrency: 1 },
  'read-telegram': { handler: readTelegram, concurrency: 1 },
  'queue-mails': { handler: queueMails, concurrency: 1 },
  'send-mail': { handler: sendMail, concurrency: 8 },
  'rebuild-week-board': { handler: rebuildWeekBoard, concurrency: 1 },
  'roll-up-ledger': { handler: rollUpOldDays, concurrency: 1 },
  'seal-ledger': { handler: sealDays, concurrency: 1 },
  maintenance: { handler: maintenance, concurrency: 1 },
}

/** For running jobs at a stop; less than the limit of the process (`runRole`). */
const CLOSE_MS = 15_000
const QUIET_MS = 10_000
const REST_MS = 1_000

const JOB_NAMES = Object.keys(JOBS) as JobName[]

/** Any number of processes may run. The gateway shares the registry if both run in one process. */
export async function startWorkers(
  config: Config,
  registry: Registry = createRegistry(),
): Promise<{ close(): Promise<void> }> {
  const log = createLog('workers', config.logLevel)
  const db = connect(config.databaseUrl, {
    directUrl: config.databaseDirectUrl,
    max: config.databasePool,
    name: 'tesp-workers',
    preparedStatements: config.databasePrepared,
  })
  const redis = redisForRequests(config.redisUrl)
  const waiting = redisForQueues(config.redisUrl)
  logConnection(redis, 'requests', log)
  logConnection(waiting, 'queues', log)
  void warnOfEviction(redis, log)
  watchPool(registry, 'workers', db)
  const mailer = createMailer(config)
  const mailQueue = await jobQueue('send-mail', waiting, config.redisPrefix)
  const sweepQueue = await jobQueue('sweep-credits', waiting, config.redisPrefix)
  const stop = new AbortController()
  const { signal: stopping } = stop
  const changes = new ChangeChannel(redis, config.redisPrefix, log)
  const counted = await Promise.all(
    JOB_NAMES.map((name) => jobQueue(name, redis, config.redisPrefix)),
  )
  const metrics = workersMetrics(registry, db, counted)
  // From 0, so that a rate sees the first failure.
  for (const queue of JOB_NAMES) {
    metrics.jobsFailed.inc({ queue }, 0)
    metrics.jobSeconds.zero({ queue })
  }
  for (const result of ['sent', 'failed', 'rejected', 'skipped']) metrics.mails.inc({ result }, 0)
  const tracing = await startTracing('workers', config.otlpEndpoint)
  const context: Context = {
    config,
    db,
    redis,
    changes,
    mailer,
    mailQueue,
    sweepQueue,
    metrics,
    tracing,
    log,
    cause: {},
    stopping,
  }
  const schedules = await keepSchedules(waiting, config.redisPrefix, log)
  const workers = JOB_NAMES.map((name) => startWorker(name, context, waiting))
  const metricsServer = await startMetricsServer({
    host: config.host,
    port: config.workersPort,
    probed: { db, redis },
    registry,
    log,
  })
  const listed = listProcess(redis, config.redisPrefix, 'workers')
  log.info({ jobs: JOB_NAMES }, 'workers are ready')
  return {
    async close() {
      stop.abort()
      await metricsServer.close()
      await listed.stop()
      const closeQueues = async () => {
        await schedules.close()
        await Promise.all(workers.map((worker) => worker.close()))
        await Promise.all([mailQueue, sweepQueue, ...counted].map((queue) => queue.close()))
        return true
      }
      const closed = closeQueues()
      closed.catch(() => {})
      // A queue waits for Redis indefinitely.
      if (!(await Promise.race([closed, sleep(CLOSE_MS, false, { ref: false })]))) {
        log.warn('queues not closed in time; what they had under way is run again elsewhere')
      }
      await tracing.close()
      mailer.close()
      redis.disconnect()
      waiting.disconnect()
      await db.destroy()
    },
  }
}

/** A worker rests after a refused command: BullMQ would repeat it at once and flood a Redis that takes no writes. */
function followErrors(worker: Worker, log: Logger): void {
  let loggedAt = 0
  const rest = async () => {
    await worker.pause(true)
    await sleep(REST_MS, undefined, { ref: false })
    if (!worker.closing) await worker.resume()
  }
  worker.on('error', (err) => {
    const now = Date.now()
    if (now - loggedAt > QUIET_MS) {
      loggedAt = now
      log.warn({ err, job: worker.name }, 'worker error; it tries again')
    }
    if (err.name === 'ReplyError' && !worker.isPaused() && !worker.closing) void rest()
  })
}

function startWorker(name: JobName, context: Context, connection: RedisClient): Worker {
  const { handler, concurrency } = JOBS[name] as { handler: Handler<JobName>; concurrency: number }
  const worker = new Worker(name, (job) => runJob(context, handler, job), {
    connection,
    prefix: queuePrefix(context.config.redisPrefix),
    concurrency,
    // A stalled job means that its process froze or died, not that the job is bad: run it again.
    maxStalledCount: 1_000,
    stalledInterval: Math.round(context.config.jobLockMs / 3),
    lockDuration: context.config.jobLockMs,
    // By default 15 s: a failover of Redis may end the blocked read of a queue with an error.
    runRetryDelay: 1_000,
  })
  followErrors(worker, context.log)
  return worker
}
