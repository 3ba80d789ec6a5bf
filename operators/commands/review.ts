import { startReview } from '#operators/review/server'
import { loadConfig } from '#runtime/config/config'
import { readEnvironment } from '#runtime/process/environment'
import { readArguments } from '#runtime/process/read-arguments'
import type { OperatorsCommand } from './run-command.ts'

/** `npm run review`: serves the pages of reviewers until a signal. */
export const review: OperatorsCommand = async (withDatabase) => {
  readArguments('npm run review', {})
  const env = readEnvironment()
  await withDatabase(env.DATABASE_URL, async (databaseUrl) => {
    const redisUrl = env.REDIS_URL || undefined
    const REDIS_URL = redisUrl ?? 'redis://not-needed'
    const running = await startReview({
      config: loadConfig({ ...env, REDIS_URL, DATABASE_URL: databaseUrl }),
      redisUrl,
      port: Number(env.REVIEW_PORT || 3100),
      origin: env.REVIEW_ORIGIN || undefined,
      host: env.REVIEW_HOST || undefined,
    })
    console.log(`Identity documents are reviewed at ${running.origin}`)
    await new Promise((resolve) => {
      process.once('SIGTERM', resolve)
      process.once('SIGINT', resolve)
    })
    await running.close()
  })
  return 0
}
