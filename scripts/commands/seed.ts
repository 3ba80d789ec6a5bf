import { loadConfig } from '#runtime/config/config'
import { readEnvironment } from '#runtime/process/environment'
import { readArguments } from '#runtime/process/read-arguments'
import { withLocalDatabase } from '#scripts/embedded/local-database'
import { printDemoMembers } from '#scripts/seed/demo-members'
import { seedConfigured } from '#scripts/seed/seed-demo'

readArguments('npm run seed', {})
const env = readEnvironment()
if (env.NODE_ENV === 'production') {
  console.error('Demo members have a public password: npm run seed refuses NODE_ENV=production')
  process.exit(1)
}
const REDIS_URL = env.REDIS_URL || 'redis://not-needed'

const written = await withLocalDatabase(env.DATABASE_URL, (databaseUrl) =>
  seedConfigured(loadConfig({ ...env, REDIS_URL, DATABASE_URL: databaseUrl })),
)
console.log(written ? 'Demo members are written' : 'Demo members were there already')
printDemoMembers()
process.exit(0)
