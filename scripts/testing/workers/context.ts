import { pino } from 'pino'
import { createRegistry } from '#runtime/monitoring/registry'
import { NO_TRACING } from '#runtime/monitoring/tracing'
import { ChangeChannel } from '#runtime/pubsub'
import { redisForRequests } from '#runtime/redis'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import type { Context } from '#workers/job'
import { createMailer } from '#workers/mailer'
import { workersMetrics } from '#workers/monitoring/workers-metrics'
import { jobQueue } from '#workers/queue'

/** A context for job handlers on the test file's own database and Redis prefix. */
export type TestContext = Context & { fresh: FreshDatabase; close(): Promise<void> }

/** Call it in `beforeAll`, and `close` in `afterAll`. */
export async function testContext(env: Record<string, string> = {}): Promise<TestContext> {
  const fresh = await freshDatabase()
  const config = testConfig(fresh, env)
  const redis = redisForRequests(fresh.redisUrl)
  const mailQueue = await jobQueue('send-mail', redis, fresh.redisPrefix)
  const sweepQueue = await jobQueue('sweep-credits', redis, fresh.redisPrefix)
  const mailer = createMailer(config)
  const log = pino({ level: 'silent' })
  const stopping = new AbortController().signal
  return {
    fresh,
    config,
    db: fresh.db,
    redis,
    changes: new ChangeChannel(redis, fresh.redisPrefix, log),
    mailQueue,
    sweepQueue,
    mailer,
    metrics: workersMetrics(createRegistry(), fresh.db, [mailQueue, sweepQueue]),
    tracing: NO_TRACING,
    cause: {},
    log,
    stopping,
    async close() {
      await Promise.all([mailQueue.close(), sweepQueue.close()])
      mailer.close()
      redis.disconnect()
      await fresh.close()
    },
  }
}
