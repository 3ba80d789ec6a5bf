import { startConsole } from '#operators/console/server'
import { loadConfig } from '#runtime/config/config'
import { readEnvironment } from '#runtime/process/environment'
import { readArguments } from '#runtime/process/read-arguments'
import type { OperatorsCommand } from './run-command.ts'

/** `npm run console`: serves the operators' console until a signal. */
export const operatorsConsole: OperatorsCommand = async (withDatabase) => {
  readArguments('npm run console', {})
  const env = readEnvironment()
  await withDatabase(env.DATABASE_URL, async (databaseUrl) => {
    const redisUrl = env.REDIS_URL || undefined
    const REDIS_URL = redisUrl ?? 'redis://not-needed'
    const config = loadConfig({ ...env, REDIS_URL, DATABASE_URL: databaseUrl })
    const running = await startConsole({ config, redisUrl })
    console.log(`The operators' console is at ${running.origin}`)
    await new Promise((resolve) => {
      process.once('SIGTERM', resolve)
      process.once('SIGINT', resolve)
    })
    await running.close()
  })
  return 0
}
