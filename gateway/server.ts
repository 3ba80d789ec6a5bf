import path from 'node:path'
import type { Redis } from 'ioredis'
import type { Registry } from 'prom-client'
import { connect } from '#db/engine/connect'
import { readSealKeys } from '#db/ledger/seals/seal-chain'
import { startMetricsServer } from '#db/metrics-server'
import { watchPool } from '#db/postgres/connection/pool-metrics'
import type { Db } from '#db/postgres/statements/transaction'
import { SECOND_MS } from '#rules/constants'
import type { SealKey } from '#rules/seal/seal'
import type { Config } from '#runtime/config/config'
import { createLog, logConnection } from '#runtime/logging/log'
import { createRegistry } from '#runtime/monitoring/registry'
import { startTracing, type Tracing } from '#runtime/monitoring/tracing'
import { ChangeChannel } from '#runtime/pubsub'
import { redisForRequests, redisForSubscribing } from '#runtime/redis'
import { warnOfEviction } from '#runtime/redis/eviction'
import { listProcess } from '#runtime/redis/process-list'
import { createApp } from './app.ts'
import { httpServer, limitBodies, listen, stopListening } from './http/http-server.ts'
import { createLive } from './live/live.ts'
import { followPollLog } from './not-modified/follow-poll-log.ts'
import { PollCache } from './not-modified/poll-cache.ts'
import { polledReads } from './not-modified/polled-reads.ts'
import { allowsOrigin } from './security/origins.ts'
import { AuthSessionStore } from './services/auth-session-store.ts'
import { miningBatches } from './services/batches.ts'
import { DeviceList } from './services/device-list.ts'
import { gatewayMetrics } from './services/gateway-metrics.ts'
import { KeyedMutex, Semaphore } from './services/mutex.ts'
import { RateLimits } from './services/rate-limits.ts'
import { serviceStatusReader } from './services/service-status.ts'
import type { Services } from './services/services.ts'
import { snapshotLoader } from './services/snapshot-loader.ts'

export type Gateway = { url: string; port: number; close(): Promise<void> }

/** Graceful shutdown: time that open requests have to finish. */
const DRAIN_MS = 8_000
/** The roles run in the root of the repository or image. */
const BUILT_CLIENT = path.resolve('dist/client')

type Opened = { registry: Registry; subscriber: Redis; tracing: Tracing }

function openServices(config: Config, { registry, subscriber, tracing }: Opened): Services {
  const log = createLog('gateway', config.logLevel)
  const redis = redisForRequests(config.redisUrl)
  logConnection(redis, 'requests', log)
  void warnOfEviction(redis, log)
  const db = connect(config.databaseUrl, {
    max: config.databasePool,
    name: 'tesp-gateway',
    preparedStatements: config.databasePrepared,
  })
  const replica = config.databaseReplicaUrl
    ? connect(config.databaseReplicaUrl, {
        max: 1,
        name: 'tesp-gateway-replica',
        preparedStatements: config.databasePrepared,
        mayBeReplica: true,
      })
    : undefined
  watchPool(registry, 'gateway', db)
  const metrics = gatewayMetrics(registry)
  const polls = new PollCache(config.pollCacheMembers)
  const authSessions = new AuthSessionStore(redis, config.redisPrefix)
  return {
    config,
    db,
    replica,
    snapshots: snapshotLoader(db),
    polls,
    redis,
    changes: new ChangeChannel(redis, config.redisPrefix, log, polls.onChange),
    authSessions,
    devices: new DeviceList(redis, config.redisPrefix, authSessions),
    limits: new RateLimits(redis, config),
    memberMutex: new KeyedMutex(),
    cancelMutex: new KeyedMutex(),
    miningBatches: miningBatches(db, log),
    exportSemaphore: new Semaphore(1),
    statementSemaphore: new Semaphore(2),
    sealKeys: sealKeysReader(db),
    metrics,
    tracing,
    status: serviceStatusReader({
      db,
      slowestPush: () => metrics.slowestPush.value,
      isSubscribed: () => subscriber.status === 'ready',
    }),
    log,
  }
}

type GatewayOptions = {
  clientRoot?: string
  /** Shared with the workers when both run in one process. */
  registry?: Registry
}

/** REST, sockets and the client's files. Any number of gateways may share a database and Redis. */
export async function startGateway(
  config: Config,
  { clientRoot = BUILT_CLIENT, registry = createRegistry() }: GatewayOptions = {},
): Promise<Gateway> {
  const tracing = await startTracing('gateway', config.otlpEndpoint)
  const subscriber = redisForSubscribing(config.redisUrl)
  const services = openServices(config, { registry, subscriber, tracing })
  logConnection(subscriber, 'changes', services.log)
  const allows = allowsOrigin(config)
  const app = createApp(services, allows, clientRoot)
  const server = httpServer(polledReads(services, app.callback()), config)
  const live = createLive(server, services, allows)
  limitBodies(server, config.requestTimeoutMs)
  let wasConnected = false
  subscriber.on('ready', () => {
    // Changes published while this connection was down are lost: every client refetches.
    if (wasConnected) live.refetchAll()
    wasConnected = true
  })
  await new ChangeChannel(subscriber, config.redisPrefix, services.log).subscribe(
    (change, origin) => {
      services.polls.onChange(change)
      live.onChange(change, origin)
    },
  )
  const follower = followPollLog({ ...services, onAnnouncements: live.announce })
  const port = await listen(server, config.port, config.host)
  const { db, redis } = services
  const metricsServer = await startMetricsServer({
    host: config.host,
    port: config.metricsPort,
    probed: { db, redis },
    registry,
    log: services.log,
  })
  const listed = listProcess(redis, config.redisPrefix, 'gateway')
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.host) ? 'localhost' : config.host
  services.log.info({ port }, 'gateway is ready')
  return {
    port,
    url: `http://${host}:${port}`,
    async close() {
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
      await stopListening(server)
      // Socket.IO waits for the server, and so for open requests.
      await live.close()
      clearTimeout(deadline)
      await metricsServer.close()
      await tracing.close()
      await listed.stop()
      subscriber.disconnect()
      await follower.close()
      services.redis.disconnect()
      await services.db.destroy()
      await services.replica?.destroy()
    },
  }
}

/** Longest delay until a new key is published, real ms. */
const SEAL_KEYS_AGE_MS = 5 * SECOND_MS

function sealKeysReader(db: Db): () => Promise<SealKey[]> {
  let reading: Promise<SealKey[]> | undefined
  let readAt = 0
  return () => {
    if (!reading || performance.now() - readAt >= SEAL_KEYS_AGE_MS) {
      readAt = performance.now()
      reading = readSealKeys(db)
      reading.catch(() => {
        reading = undefined
      })
    }
    return reading
  }
}
