import type Koa from 'koa'
import type { Logger } from 'pino'
import type { Db } from '#db/postgres/statements/transaction'
import type { PollCache } from '#gateway/not-modified/poll-cache'
import type { SealKey } from '#rules/seal/seal'
import type { Config } from '#runtime/config/config'
import type { Cause } from '#runtime/logging/request-id'
import type { Tracing } from '#runtime/monitoring/tracing'
import type { ChangeChannel } from '#runtime/pubsub'
import type { RedisClient } from '#runtime/redis/redis-client'
import type { AuthSessionStore } from './auth-session-store.ts'
import type { MiningBatches } from './batches.ts'
import type { DeviceList } from './device-list.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import type { KeyedMutex, Semaphore } from './mutex.ts'
import type { RateLimits } from './rate-limits.ts'
import type { ServiceStatus } from './service-status.ts'
import type { SnapshotLoader } from './snapshot-loader.ts'

export type Services = {
  config: Config
  db: Db
  /** For `readFromReplica`. */
  replica: Db | undefined
  redis: RedisClient
  changes: ChangeChannel
  authSessions: AuthSessionStore
  devices: DeviceList
  snapshots: SnapshotLoader
  polls: PollCache
  limits: RateLimits
  memberMutex: KeyedMutex
  /** Each cancellation that waits for the command's lock holds a database connection. */
  cancelMutex: KeyedMutex
  miningBatches: MiningBatches
  /** One export and a few statements at a time, because each is held in memory. */
  exportSemaphore: Semaphore
  statementSemaphore: Semaphore
  sealKeys: () => Promise<SealKey[]>
  metrics: GatewayMetrics
  tracing: Tracing
  status: () => Promise<ServiceStatus>
  log: Logger
}

/** What a request causes carries its id and, with traces, its span. */
export const causeOf = (ctx: Koa.Context): Cause => ctx.state.cause ?? {}

/** What a request logs and publishes carries its id. */
export function servicesFor(services: Services, cause: Cause): Services {
  const { requestId } = cause
  return {
    ...services,
    changes: services.changes.causedBy(cause),
    // Few requests log.
    get log() {
      return services.log.child({ requestId })
    },
  }
}
