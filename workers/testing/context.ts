import { pino } from 'pino'
import { readConfig } from '#db/process/config'
import { redisForRequests } from '#db/process/redis'
import { testSecrets } from '#db/testing/database'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import type { Context } from '#workers/context'
import { createMailer } from '#workers/mailer'
import { jobQueue } from '#workers/queue'

/** What the handlers of jobs work with, on a database and a corner of Redis of a file's own. */
export type TestContext = Context & { fresh: FreshDatabase; close(): Promise<void> }

/** Makes it; call it in `beforeAll`, and `close` in `afterAll`. */
export async function testContext(env: Record<string, string> = {}): Promise<TestContext> {
  const fresh = await freshDatabase()
  const config = readConfig({
    ...testSecrets(),
    DATABASE_URL: fresh.url,
    REDIS_URL: fresh.redisUrl,
    REDIS_PREFIX: fresh.redisPrefix,
    LOG_LEVEL: 'silent',
    ...env,
  })
  const redis = redisForRequests(fresh.redisUrl)
  const mailQueue = jobQueue('send-mail', redis, fresh.redisPrefix)
  const mailer = createMailer(config)
  const log = pino({ level: 'silent' })
  const stopping = new AbortController().signal
  return {
    ...{ fresh, config, db: fresh.db, redis, mailQueue, mailer, log, stopping },
    async close() {
      await mailQueue.close()
      mailer.close()
      redis.disconnect()
      await fresh.close()
    },
  }
}
