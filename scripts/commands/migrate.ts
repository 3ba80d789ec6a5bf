import { migrate } from '#db/postgres/schema/migrate'
import { withLocalDatabase } from '#scripts/embedded/local-database'
import { readEnvironment } from '#scripts/process/environment'
import { explain } from '#scripts/process/explain'
import { loadConfig } from '#scripts/process/load-config'
import { readArguments } from '#scripts/process/read-arguments'
import { DATA_DIR } from '#scripts/process/root'

readArguments('npm run migrate', {})
const env = readEnvironment()
const REDIS_URL = env.REDIS_URL || 'redis://not-needed'

await withLocalDatabase(
  { databaseUrl: env.DATABASE_DIRECT_URL || env.DATABASE_URL, dataDir: DATA_DIR },
  async (databaseUrl) => {
    const { clockSpeed } = loadConfig({ ...env, REDIS_URL, DATABASE_URL: databaseUrl })
    await migrate(databaseUrl, { clockSpeed, report: console.log })
  },
).catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})
console.log('The database is up to date')
process.exit(0)
