import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { migrate } from '#db/postgres/migrate'
import { sumOf } from '#scripts/chaos/torture/checks'
import { torture } from '#scripts/chaos/torture/torture'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { developmentSecrets } from '#scripts/process/secrets'

/** `npm run torture -- --minutes 10 --seed 7`: prints what happened and what was violated. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    members: { type: 'string', default: '16' },
  },
})
const dataDir = mkdtempSync(path.join(tmpdir(), 'tesp-torture-'))
const servers = await startEmbedded({ dataDir, durable: true })
const { databaseUrl: url, redisUrl } = servers
try {
  await migrate(url)
  const { tally, faults, sessions, credits, audits, problems } = await torture(
    { url, redisUrl, redisPrefix: 'torture' },
    {
      seconds: Number(values.minutes) * 60,
      seed: Number(values.seed),
      members: Number(values.members),
      secrets: developmentSecrets(dataDir),
      log: console.log,
    },
  )
  const claimed = sumOf(tally.claims.values())
  console.table(tally.responses)
  console.log(`lost responses, requests retried     ${tally.lost}`)
  console.log(`faults                               ${JSON.stringify(faults)}`)
  console.log(`sessions / credits                   ${sessions} / ${credits}`)
  console.log(`acknowledged claims, TESP / USDT     ${claimed.tesp} / ${claimed.usdt}`)
  console.log(`audits                               ${audits}`)
  console.log(`violations                           ${problems.length}`)
  for (const problem of problems) console.error(`  ${problem}`)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await servers.stop()
  removeDataDir(dataDir)
}
process.exit()
