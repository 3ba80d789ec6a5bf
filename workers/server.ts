import { Worker } from 'bullmq'
import type { Registry } from 'prom-client'
import { connect } from '#db/engine/connect'
import { stepRecords } from '#db/ledger/steps'
import { startOperatorsServer } from '#db/metrics-server'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { watchPool } from '#db/postgres/connection/pool-metrics'
import type { Config } from '#runtime/config/config'
import { createLog, logConnection } from '#runtime/logging/log'
import { createRegistry } from '#runtime/monitoring/registry'
import { startTracing } from '#runtime/monitoring/tracing'
import { ChangeChannel } from '#runtime/pubsub'
import { redisForQueues, redisForRequests } from '#runtime/redis'
import { warnOfEviction } from '#runtime/redis/eviction'
import { listProcess } from '#runtime/redis/process-list'
import type { RedisClient } from '#runtime/redis/redis-client'
import { type Context, type Handler, runJob } from './job.ts'
import { checkCredits } from './jobs/check-credits.ts'
import { endSessionsDue } from './jobs/end-sessions.ts'
import { rollUpOldDays, sealDays } from './jobs/ledger-days.ts'
import { maintenance } from './jobs/maintenance.ts'
import { readTelegram } from './jobs/read-telegram.ts'
import { rebuildWeekBoard } from './jobs/rebuild-week-board.ts'
import { sendMail } from './jobs/send-mail.ts'
import { sendReminders } from './jobs/send-reminders.ts'
import { sweepCredits } from './jobs/sweep-credits.ts'
import { createMailer } from './mailer.ts'
import { countQueueJobs, productFigures } from './monitoring/product-figures.ts'
import { startAtZero, workersMetrics } from './monitoring/workers-metrics.ts'
import { type JobName, jobQueue, queuePrefix } from './queue.ts'
import { keepSchedules } from './schedules.ts'

/** Jobs of each kind that one process runs at a time. */
const CONCURRENCY: Record<JobName, number> = {
  'sweep-credits': 2,
  'check-credits': 1,
  'end-sessions': 1,
  'send-reminders': 1,
  'read-telegram': 1,
  'send-mail': 8,
  'rebuild-week-board': 1,
  'roll-up-ledger': 1,
  'seal-ledger': 1,
  maintenance: 1,
}

const JOB_NAMES = Object.keys(CONCURRENCY) as JobName[]

/** The handler of each job; the type checks that none is missing. */
const HANDLERS: { [J in JobName]: Handler<J> } = {
  'sweep-credits': sweepCredits,
  'check-credits': checkCredits,
  'end-sessions': endSessionsDue,
  'send-reminders': sendReminders,
  'read-telegram': readTelegram,
  'send-mail': sendMail,
  'rebuild-week-board': rebuildWeekBoard,
  'roll-up-ledger': rollUpOldDays,
  'seal-ledger': sealDays,
  maintenance,
}

/**
 * Starts the workers of one process. Any number of processes may run, on any machine.
 * @param registry shared with the gateway when both run in one process
 */
export async function startWorkers(
  config: Config,
  registry: Registry = createRegistry(),
): Promise<{ close(): Promise<void> }> {
  const log = createLog('workers', config.logLevel)
  const db = connect(config.databaseUrl, {
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
  const metrics = workersMetrics(registry, {
    creditLag: () => creditLagSeconds(db),
    steps: () => stepRecords(db),
    figures: () => productFigures(db),
    queueJobs: () => countQueueJobs(counted),
  })
  startAtZero(metrics, JOB_NAMES)
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
  const workers = Object.entries(HANDLERS).map(([name, handler]) =>
    startWorker(name as JobName, handler as Handler<JobName>, context, waiting),
  )
  const operators = await startOperatorsServer({
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
      await operators.close()
      await listed.stop()
      await schedules.close()
      await Promise.all(workers.map((worker) => worker.close()))
      await Promise.all([mailQueue, sweepQueue, ...counted].map((queue) => queue.close()))
      await tracing.close()
      mailer.close()
      redis.disconnect()
      waiting.disconnect()
      await db.destroy()
    },
  }
}

function startWorker(
  name: JobName,
  handler: Handler<JobName>,
  context: Context,
  connection: RedisClient,
): Worker {
  const worker = new Worker(name, (job) => runJob(context, handler, job), {
    connection,
    prefix: queuePrefix(context.config.redisPrefix),
    concurrency: CONCURRENCY[name],
    // A stalled job means that its process froze or died, not that the job is bad: run it again.
    maxStalledCount: 1_000,
    stalledInterval: Math.round(context.config.jobLockMs / 3),
    lockDuration: context.config.jobLockMs,
    // By default 15 s: a failover of Redis may end the blocked read of a queue with an error.
    runRetryDelay: 1_000,
  })
  worker.on('error', (error) =>
    context.log.warn({ err: error, job: name }, 'worker connection error; reconnecting'),
  )
  return worker
}
