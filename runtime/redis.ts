import type { EventEmitter } from 'node:events'
import { Cluster, Redis } from 'ioredis'
import {
  anyNodeConnector,
  COMMAND_MS,
  type ConnectOptions,
  clusterOptions,
  retryMs,
  sentinelOptions,
} from './redis/connect-options.ts'
import { FailFastCluster, FailFastRedis } from './redis/fail-fast.ts'
import type { RedisClient } from './redis/redis-client.ts'
import { parseRedisUrl } from './redis/topology.ts'

/** Interval at which a subscription checks that its node answers, and its limit; ms. */
const HEARTBEAT_MS = 5_000

/** Longest wait for an answer, ms; does not limit idle subscriptions. Without it TCP gives up after 15 minutes. */
const SILENCE_MS = 5_000
/** Of queues: longer than their reads block, which is 10 s at most. */
const WAITING_SILENCE_MS = 15_000

/** While Redis is away a command fails within 2 s, later ones immediately (circuit breaker): answered with 503. */
export function redisForRequests(url: string): RedisClient {
  const topology = parseRedisUrl(url)
  const options: ConnectOptions = {
    commandTimeout: COMMAND_MS,
    connectTimeout: 2_000,
    socketTimeout: SILENCE_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: retryMs,
  }
  if (topology.kind === 'cluster') {
    return withErrorListener(new FailFastCluster(topology.nodes, clusterOptions(topology, options)))
  }
  return withErrorListener(
    topology.kind === 'sentinel'
      ? new FailFastRedis({ ...options, ...sentinelOptions(topology) })
      : new FailFastRedis(topology.url, options),
  )
}

/** Retries indefinitely, so that a blocked read of a queue survives an outage. */
const WAITING: ConnectOptions = {
  maxRetriesPerRequest: null,
  connectTimeout: 5_000,
  socketTimeout: WAITING_SILENCE_MS,
  retryStrategy: retryMs,
}

export function redisForQueues(url: string): RedisClient {
  const topology = parseRedisUrl(url)
  if (topology.kind !== 'cluster') return redisForSubscribing(url)
  const cluster = new Cluster(topology.nodes, {
    ...clusterOptions(topology, WAITING),
    maxRedirections: Number.POSITIVE_INFINITY,
    // The ready check has no time-out: a frozen node would block the queue.
    enableReadyCheck: false,
  })
  return withErrorListener(cluster)
}

/**
 * Emits `ready` after each reconnection, because messages published meanwhile are lost. In a cluster it uses
 * any node and pings it, because a frozen or cut off node does not close the connection.
 */
export function redisForSubscribing(url: string): Redis {
  const topology = parseRedisUrl(url)
  if (topology.kind === 'single') return withErrorListener(new Redis(topology.url, WAITING))
  if (topology.kind === 'sentinel') {
    return withErrorListener(new Redis({ ...WAITING, ...sentinelOptions(topology) }))
  }
  const { nodes, username, password, tls } = topology
  const redis = new Redis({
    ...WAITING,
    username,
    password,
    ...(tls && { tls: {} }),
    Connector: anyNodeConnector(nodes, tls),
    socketTimeout: HEARTBEAT_MS,
  })
  const heartbeat = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => {})
  }, HEARTBEAT_MS).unref()
  redis.once('end', () => clearInterval(heartbeat))
  return withErrorListener(redis)
}

// An 'error' event without a listener ends the process. /readyz and the failed command report it.
function withErrorListener<T extends RedisClient>(redis: T): T {
  const emitter: EventEmitter = redis
  emitter.on('error', () => {})
  return redis
}
