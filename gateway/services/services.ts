import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Db } from '#db/postgres/transaction'
import type { ChangeChannel } from '#db/process/change-channel'
import type { Config } from '#db/process/config'
import type { GatewayMetrics } from '#gateway/metrics'
import type { Jobs } from '#queue'
import type { AuthSessionStore } from './auth-session-store.ts'
import type { KeyedMutex } from './keyed-mutex.ts'
import type { RateLimits } from './rate-limits.ts'

/** What the gateway works with, opened once by the process. */
export type Services = {
  config: Config
  db: Db
  redis: Redis
  changes: ChangeChannel
  mailQueue: Queue<Jobs['send-mail'], void, string>
  authSessions: AuthSessionStore
  limits: RateLimits
  memberMutex: KeyedMutex
  metrics: GatewayMetrics
  log: Logger
}
