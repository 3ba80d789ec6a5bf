import { Redis } from 'ioredis'
import { FailFastRedis } from './fail-fast-redis.ts'

/**
 * A connection for requests: while Redis is unreachable, a command fails within 2 s and those after
 * it immediately (circuit breaker), so that the request can be answered with 503.
 */
export function redisForRequests(url: string): Redis {
  return withErrorListener(
    new FailFastRedis(url, {
      commandTimeout: 2_000,
      connectTimeout: 2_000,
      maxRetriesPerRequest: 1,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    }),
  )
}

/** A connection that retries without limit: for queues and subscriptions. */
export function redisForWaiting(url: string): Redis {
  return withErrorListener(
    new Redis(url, {
      maxRetriesPerRequest: null,
      connectTimeout: 5_000,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    }),
  )
}

// An 'error' event without a listener ends the process. /readyz and the failed command report it.
function withErrorListener(redis: Redis): Redis {
  return redis.on('error', () => {})
}
