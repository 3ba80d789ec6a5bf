import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Db } from '#db/postgres/transaction'
import type { Config } from '#db/process/config'
import type { Mailer } from './mailer.ts'
import type { JobName, Jobs } from './queue.ts'

/** What a handler works with, opened once by the process. */
export type Context = {
  config: Config
  db: Db
  /** For announcing changes. */
  redis: Redis
  mailer: Mailer
  mailQueue: Queue<Jobs['send-mail'], void, string>
  log: Logger
  /** Aborted once the process is told to stop: long work ends at its next safe point. */
  stopping: AbortSignal
}

/** A job's code: safe to run twice or late, and callable as a plain function. */
export type Handler<J extends JobName> = (context: Context, data: Jobs[J]) => Promise<void>
