import { Redis } from 'ioredis'
import { FailFastRedis } from './fail-fast-redis.ts'

/**
 * A connection for requests: while Redis is away a command fails within 2 s instead of waiting
 * for ever, and those after it at once, so that a request can be answered with 503.
 */
export function redisForRequests(url: string): Redis {
  return listen(
    new FailFastRedis(url, {
      commandTimeout: 2_000,
      connectTimeout: 2_000,
      maxRetriesPerRequest: 1,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    }),
  )
}

/** A connection that waits for Redis as long as it takes: for queues and subscriptions. */
export function redisForWaiting(url: string): Redis {
  return listen(
    new Redis(url, {
      maxRetriesPerRequest: null,
      connectTimeout: 5_000,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    }),
  )
}

// An 'error' without a listener ends the process; readiness and the failing command tell of it.
function listen(redis: Redis): Redis {
  return redis.on('error', () => {})
}
