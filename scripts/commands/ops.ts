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
const name = positionals.slice(0, 2).join(' ')
const command = OPS[name] ?? OPS[positionals[0] ?? '']

function usage(): never {
  console.error('Usage: npm run ops -- <command>\n')
  for (const { usage, does } of Object.values(OPS)) console.error(`  ${usage.padEnd(58)} ${does}`)
  process.exit(1)
}

async function run({ run, words }: Ops): Promise<void> {
  const env = readEnvironment()
  const target = { databaseUrl: env.DATABASE_URL, dataDir: DATA_DIR }
  await withLocalDatabase(target, async (databaseUrl) => {
    const redisUrl = env.REDIS_URL || undefined
    const config = readConfig({
      ...env,
      ...{ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl ?? 'redis://not-known' },
    })
    const db = connect(databaseUrl, { max: 2, name: 'tesp-ops' })
    try {
      await run({ db, config, redisUrl, args: positionals.slice(words), options: values })
    } finally {
      await db.destroy()
    }
  })
}

if (!command) usage()
try {
  await run(command)
  process.exit(0)
} catch (error) {
  console.error(error instanceof RuleError ? error.message : error)
  process.exit(1)
}
