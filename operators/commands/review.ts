import { startReview } from '#operators/review/server'
import { RuleError } from '#rules/rule-error'
import { readEnvironment } from '#runtime/process/environment'
import { loadConfig } from '#runtime/process/load-config'
import { readArguments } from '#runtime/process/read-arguments'
import { DATA_DIR } from '#runtime/process/root'
import { withLocalDatabase } from '#scripts/embedded/local-database'

readArguments('npm run review', {})
const env = readEnvironment()
const redisUrl = env.REDIS_URL || undefined
const REDIS_URL = redisUrl ?? 'redis://not-needed'

/** Serves the pages until a signal. */
async function serve(databaseUrl: string): Promise<void> {
  const config = loadConfig({ ...env, REDIS_URL, DATABASE_URL: databaseUrl })
  const port = Number(env.REVIEW_PORT || 3100)
  const origin = env.REVIEW_ORIGIN || undefined
  const host = env.REVIEW_HOST || undefined
  const review = await startReview({ config, redisUrl, port, origin, host })
  console.log(`Identity documents are reviewed at ${review.origin}`)
  await new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  await review.close()
}

try {
  await withLocalDatabase({ databaseUrl: env.DATABASE_URL, dataDir: DATA_DIR }, serve)
  process.exit(0)
} catch (error) {
  console.error(error instanceof RuleError ? error.message : error)
  process.exit(1)
}
