import type { Redis } from 'ioredis'
import type Koa from 'koa'
import type { Registry } from 'prom-client'
import { connect } from '#db/engine/connect'
import { readSealKeys } from '#db/ledger/seals/seal-chain'
import { watchPool } from '#db/postgres/connection/pool-metrics'
import type { Db } from '#db/postgres/statements/transaction'
import type { PollCache } from '#gateway/not-modified/poll-cache'
import { SECOND_MS } from '#rules/constants'
import type { Config } from '#runtime/config/config'
import { createLog, logConnection } from '#runtime/log'
import type { Cause, Tracing } from '#runtime/monitoring/tracing'
import { ChangeChannel } from '#runtime/pubsub'
import { redisForRequests } from '#runtime/redis'
import { warnOfEviction } from '#runtime/redis/eviction'
import { remembered } from '#runtime/remembered'
import { AuthSessionStore } from './auth-session-store.ts'
import { miningBatches } from './batches.ts'
import { DeviceList } from './device-list.ts'
import { gatewayMetrics } from './gateway-metrics.ts'
import { KeyedMutex, Semaphore } from './mutex.ts'
import { RateLimits } from './rate-limits.ts'
import { serviceStatusReader } from './service-status.ts'
import { snapshotLoader } from './snapshot-loader.ts'

/** Longest delay until a new key is published, real ms. */
const SEAL_KEYS_AGE_MS = 5 * SECOND_MS

type Opened = { registry: Registry; subscriber: Redis; tracing: Tracing; polls: PollCache }

export type Services = ReturnType<typeof openServices>

export function openServices(config: Config, opened: Opened) {
  const { registry, subscriber, tracing, polls } = opened
  const log = createLog('gateway', config.logLevel)
  const redis = redisForRequests(config.redisUrl)
  logConnection(redis, 'requests', log)
  void warnOfEviction(redis, log)
  const db: Db = connect(config.databaseUrl, {
    max: config.databasePool,
    name: 'tesp-gateway',
    preparedStatements: config.databasePrepared,
  })
  /** For `readFromReplica`. */
  const replica: Db | undefined = config.databaseReplicaUrl
    ? connect(config.databaseReplicaUrl, {
        max: 1,
        name: 'tesp-gateway-replica',
        preparedStatements: config.databasePrepared,
        mayBeReplica: true,
      })
    : undefined
  watchPool(registry, 'gateway', db)
  const metrics = gatewayMetrics(registry)
  const authSessions = new AuthSessionStore(redis, config.redisPrefix)
  return {
    config,
    db,
    replica,
    redis,
    changes: new ChangeChannel(redis, config.redisPrefix, log, polls.onChange),
    authSessions,
    devices: new DeviceList(redis, config.redisPrefix, authSessions),
    snapshots: snapshotLoader(db),
    polls,
    limits: new RateLimits(redis, config),
    memberMutex: new KeyedMutex(),
    /** Each cancellation that waits for the command's lock holds a database connection. */
    cancelMutex: new KeyedMutex(),
    miningBatches: miningBatches(db, log),
    /** One export and a few statements at a time, because each is held in memory. */
    exportSemaphore: new Semaphore(1),
    statementSemaphore: new Semaphore(2),
    sealKeys: remembered(() => readSealKeys(db), SEAL_KEYS_AGE_MS),
    metrics,
    tracing,
    status: serviceStatusReader({ db, slowestPush: metrics.slowestPush, subscriber }),
    log,
  }
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
