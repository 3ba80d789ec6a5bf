import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import type { Db } from '#db/postgres/transaction'
import type { ChangeChannel } from '#db/process/change-channel'
import type { Config } from '#db/process/config'
import type { GatewayMetrics } from '#gateway/metrics'
import type { PollCache } from '#gateway/polls/poll-cache'
import type { MailJobs } from '#queue'
import type { AuthSessionStore } from './auth-session-store.ts'
import type { KeyedMutex } from './keyed-mutex.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Semaphore } from './semaphore.ts'
import type { SignInList } from './sign-in-list.ts'
import type { SnapshotLoader } from './snapshot-loader.ts'

/** Connections and shared objects of one gateway process, opened at start-up. */
export type Services = {
  config: Config
  db: Db
  redis: Redis
  changes: ChangeChannel
  mailJobs: MailJobs
  authSessions: AuthSessionStore
  signIns: SignInList
  snapshots: SnapshotLoader
  polls: PollCache
  limits: RateLimits
  memberMutex: KeyedMutex
  /** One data export at a time, because each is held in memory. */
  exportSemaphore: Semaphore
  metrics: GatewayMetrics
  log: Logger
}
