import { parseArgs } from 'node:util'
import { connect } from '#db/postgres/connect'
import { readConfig } from '#db/process/config'
import { RuleError } from '#rules/rule-error'
import { withLocalDatabase } from '#scripts/embedded/local-database'
import { OPS, type Ops } from '#scripts/ops/commands'
import { readEnvironment } from '#scripts/process/environment'
import { DATA_DIR } from '#scripts/process/root'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { reason: { type: 'string' }, out: { type: 'string' }, min: { type: 'string' } },
})
/** The command that the first words name, and the words after them. */
function findCommand() {
  for (const words of [2, 1]) {
    const command = OPS[positionals.slice(0, words).join(' ')]
    if (command) return { command, args: positionals.slice(words) }
  }
  return undefined
}

function usage(): never {
  console.error('Usage: npm run ops -- <command>\n')
  const rows = Object.entries(OPS).map(([name, { takes, does }]) => ({
    call: takes ? `${name} ${takes}` : name,
    does,
  }))
  const width = Math.max(...rows.map(({ call }) => call.length))
  for (const { call, does } of rows) console.error(`  ${call.padEnd(width)}  ${does}`)
  process.exit(1)
}

async function run(command: Ops, args: string[]): Promise<void> {
  const env = readEnvironment()
  const target = { databaseUrl: env.DATABASE_URL, dataDir: DATA_DIR }
  await withLocalDatabase(target, async (databaseUrl) => {
    const redisUrl = env.REDIS_URL || undefined
    const REDIS_URL = redisUrl ?? 'redis://not-configured'
    const config = readConfig({ ...env, DATABASE_URL: databaseUrl, REDIS_URL })
    const db = connect(databaseUrl, { max: 2, name: 'tesp-ops' })
    await command.run({ db, config, redisUrl, args, options: values }).finally(() => db.destroy())
  })
}

const found = findCommand() ?? usage()
try {
  await run(found.command, found.args)
  process.exit(0)
} catch (error) {
  console.error(error instanceof RuleError ? error.message : error)
  process.exit(1)
}
