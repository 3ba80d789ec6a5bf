import { migrate } from '#db/postgres/migrate'
import { readEnvironment } from '#scripts/environment'
import { loadConfig } from '#scripts/load-config'
import { withLocalDatabase } from '#scripts/local-database'
import { DATA_DIR } from '#scripts/root'

const env = readEnvironment()
const REDIS_URL = env.REDIS_URL || 'redis://not-needed'

await withLocalDatabase(
  { databaseUrl: env.DATABASE_URL, dataDir: DATA_DIR },
  async (databaseUrl) => {
    const { clockSpeed } = loadConfig({ ...env, REDIS_URL, DATABASE_URL: databaseUrl })
    await migrate(databaseUrl, { clockSpeed })
  },
)
console.log('The database is up to date')
process.exit(0)
