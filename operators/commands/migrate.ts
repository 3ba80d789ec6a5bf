import { migrate as migrateSchema } from '#db/migrations/migrate'
import { placeOf } from '#operators/ops/print'
import { loadConfig } from '#runtime/config/config'
import { readEnvironment } from '#runtime/process/environment'
import { readArguments } from '#runtime/process/read-arguments'
import type { OperatorsCommand } from './run-command.ts'

export const migrate: OperatorsCommand = async (withDatabase) => {
  readArguments('npm run migrate', {})
  const env = readEnvironment()
  await withDatabase(env.DATABASE_DIRECT_URL || env.DATABASE_URL, async (databaseUrl) => {
    console.log(`Database ${placeOf(databaseUrl)}`)
    const { clockSpeed } = loadConfig({ ...env, DATABASE_URL: databaseUrl }, [])
    await migrateSchema(databaseUrl, { clockSpeed, report: console.log })
  })
  console.log('The database is up to date')
  return 0
}
