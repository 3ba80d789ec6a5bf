import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '#db/postgres/migrate'
import { sumOf } from '#scripts/chaos/torture/books'
import { torture } from '#scripts/chaos/torture/torture'
import { removeDataDir } from '#scripts/embedded/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { developmentSecrets } from '#scripts/process/secrets'

/** `npm run torture -- --minutes 10 --seed 7`: prints what it did and what held. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    members: { type: 'string', default: '16' },
  },
})
const dataDir = mkdtempSync(path.join(tmpdir(), 'tesp-torture-'))
const servers = await startEmbedded({ dataDir, durable: true })
const { databaseUrl, redisUrl } = servers
try {
  await migrate(databaseUrl)
  const report = await torture({
    ...{ databaseUrl, redisUrl, redisPrefix: 'torture', secrets: developmentSecrets(dataDir) },
    ...{ seconds: Number(values.minutes) * 60, seed: Number(values.seed) },
    ...{ members: Number(values.members), log: console.log },
  })
  console.table(report.tally.answers)
  console.log(`answers lost and asked again   ${report.tally.lost}`)
  console.log(`blows                          ${JSON.stringify(report.blows)}`)
  console.log(`sessions / credits             ${report.sessions} / ${report.credits}`)
  const told = sumOf(report.tally.claims.values())
  console.log(`claims told, TESP / USDT       ${told.tesp} / ${told.usdt}`)
  console.log(`audits during the load         ${report.audits}`)
  console.log(`what did not hold              ${report.problems.length}`)
  for (const problem of report.problems) console.error(`  ${problem}`)
  process.exitCode = report.problems.length > 0 ? 1 : 0
} finally {
  await servers.stop()
  removeDataDir(dataDir)
}
process.exit()
