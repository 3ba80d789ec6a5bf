import type { Logger } from 'pino'
import type { Db } from '#db/postgres/statements/transaction'
import type { GatewayMetrics } from '#gateway/monitoring/gateway-metrics'
import type { ServiceStatus } from '#gateway/monitoring/service-status'
import type { PollCache } from '#gateway/polls/poll-cache'
import type { MailJobs } from '#queue'
import type { ChangeChannel } from '#runtime/change-channel'
import type { Config } from '#runtime/config/config'
import type { Tracing } from '#runtime/monitoring/tracing'
import type { RedisClient } from '#runtime/redis/redis-client'
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
  /** For `readFromReplica`. */
  replica: Db | undefined
  redis: RedisClient
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
  /** A few statements at a time, because each is held in memory. */
  statementSemaphore: Semaphore
  metrics: GatewayMetrics
  tracing: Tracing
  /** What the status page shows. */
  status: () => Promise<ServiceStatus>
  log: Logger
}
