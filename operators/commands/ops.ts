import { connect } from '#db/postgres/connection/connect'
import { runOps } from '#operators/ops/run'
import { processTerminal } from '#operators/ops/terminal'
import { typedWords } from '#operators/ops/typed'
import { findCommand, usage } from '#operators/ops/usage'
import { readConfig } from '#runtime/config/config'
import { readEnvironment } from '#runtime/process/environment'
import { explain } from '#runtime/process/explain'
import { DATA_DIR } from '#runtime/process/root'
import { withLocalDatabase } from '#scripts/embedded/local-database'

/** Words and options; undefined for an option that no command has. */
function typed() {
  try {
    return typedWords(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n`)
    return undefined
  }
}

function exitWithUsage(): never {
  console.error(usage())
  process.exit(1)
}

const { options, words } = typed() ?? exitWithUsage()
const { name, command, args } = findCommand(words) ?? exitWithUsage()
try {
  const env = readEnvironment()
  const target = { databaseUrl: env.DATABASE_URL, dataDir: DATA_DIR }
  await withLocalDatabase(target, async (databaseUrl) => {
    const redisUrl = env.REDIS_URL || undefined
    const REDIS_URL = redisUrl ?? 'redis://not-configured'
    const config = readConfig({ ...env, DATABASE_URL: databaseUrl, REDIS_URL })
    const { databasePrepared: preparedStatements } = config
    const db = connect(databaseUrl, { max: 2, name: 'tesp-ops', preparedStatements })
    const call = { db, config, redisUrl, args, options }
    await runOps(name, command, call, processTerminal(process.env)).finally(() => db.destroy())
  })
  process.exit(0)
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
