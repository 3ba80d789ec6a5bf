import { migrate } from '#db/postgres/schema/migrate'
import { readEnvironment } from '#runtime/process/environment'
import { explain } from '#runtime/process/explain'
import { loadConfig } from '#runtime/process/load-config'
import { readArguments } from '#runtime/process/read-arguments'
import { DATA_DIR } from '#runtime/process/root'
import { withLocalDatabase } from '#scripts/embedded/local-database'

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
