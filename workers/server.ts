import { Worker } from 'bullmq'
import { connect } from '#db/postgres/connect'
import type { Config } from '#db/process/config'
import { createLog } from '#db/process/log'
import { redisForRequests, redisForWaiting } from '#db/process/redis'
import type { Context, Handler } from './context.ts'
import { startHealthServer } from './health.ts'
import { creditSweep } from './jobs/credit-due.ts'
import { endSessionsDue } from './jobs/end-sessions.ts'
import { maintenance } from './jobs/maintenance.ts'
import { sendMail } from './jobs/send-mail.ts'
import { createMailer } from './mailer.ts'
import { jobsFailed } from './metrics.ts'
import { type JobName, jobQueue, queuePrefix } from './queue.ts'
import { keepSchedules } from './schedules.ts'

/** How many jobs of a kind one process runs at a time. */
const CONCURRENCY: Record<JobName, number> = {
  'credit-due': 2,
  'end-sessions': 1,
  'send-mail': 8,
  maintenance: 1,
}

/** Every job has exactly one handler; the type checks that none is missing. */
function handlers(): { [J in JobName]: Handler<J> } {
  return {
    'credit-due': creditSweep(),
    'end-sessions': endSessionsDue,
    'send-mail': sendMail,
    maintenance,
  }
}

/** The workers of one process. Start as many processes as wanted, on any machine. */
export async function startWorkers(config: Config): Promise<{ close(): Promise<void> }> {
  const log = createLog('workers', config.logLevel)
  const db = connect(config.databaseUrl, { max: config.databasePool, name: 'tesp-workers' })
  const redis = redisForRequests(config.redisUrl)
  const waiting = redisForWaiting(config.redisUrl)
  const mailer = createMailer(config)
  const mailQueue = jobQueue('send-mail', waiting, config.redisPrefix)
  const stop = new AbortController()
  const { signal: stopping } = stop
  const context: Context = { config, db, redis, mailer, mailQueue, log, stopping }
  const schedules = keepSchedules(waiting, config.redisPrefix, log)
  await schedules.ready
  const workers = Object.entries(handlers()).map(([name, handler]) =>
    startWorker(name as JobName, handler as Handler<JobName>, context, waiting),
  )
  const health = await startHealthServer(config, db, redis)
  log.info({ jobs: Object.keys(CONCURRENCY) }, 'workers are ready')
  return {
    async close() {
      stop.abort()
      await health.close()
      await schedules.close()
      await Promise.all(workers.map((worker) => worker.close()))
      await mailQueue.close()
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
  connection: ReturnType<typeof redisForWaiting>,
): Worker {
  const worker = new Worker(name, (job) => handler(context, job.data), {
    connection,
    prefix: queuePrefix(context.config.redisPrefix),
    concurrency: CONCURRENCY[name],
    // A stall means that a process froze or died, not that the job is bad: never give up on it.
    maxStalledCount: 1_000,
    stalledInterval: Math.round(context.config.jobLockMs / 3),
    lockDuration: context.config.jobLockMs,
  })
  worker.on('failed', (_job, error) => {
    jobsFailed.inc({ job: name })
    context.log.error({ err: error, job: name }, 'job failed')
  })
  worker.on('error', (error) => context.log.warn({ err: error, job: name }, 'worker connection'))
  return worker
}
