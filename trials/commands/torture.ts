import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { migrate } from '#db/postgres/schema/migrate'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { readArguments } from '#runtime/process/read-arguments'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { sumOf } from '#trials/torture/checks'
import { torture } from '#trials/torture/torture'

/**
 * `npm run torture -- --minutes 10 --seed 7`: prints what happened and what was violated. A day of
 * product time takes 2.4 minutes, and the first one ends 8 s after the faults have begun.
 */
const { values } = readArguments(
  'npm run torture -- [--minutes <n>] [--seed <n>] [--members <n>]',
  {
    options: {
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
      members: { type: 'string', default: '16' },
    },
  },
)
const dataDir = mkdtempSync(path.join(tmpdir(), 'tesp-torture-'))
const servers = await startEmbedded({ dataDir, durable: true })
const { databaseUrl: url, redisUrl } = servers
try {
  await migrate(url)
  const { tally, faults, audits, receipts, problems, ...figures } = await torture(
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
  console.table({
    ...faults,
    'requests without an answer, retried': tally.lost,
    'answers 503, retried': tally.unavailable,
    sessions: figures.sessions,
    credits: figures.credits,
    'TESP claimed, acknowledged': claimed.tesp,
    'USDT claimed, acknowledged': claimed.usdt,
    'USDT claimed, in the ledger': figures.usdtClaimed,
    'milestones paid': figures.milestones,
    'days sealed': figures.sealedDays,
    'days sealed again': figures.sealsAgain,
    'days rolled up': figures.rolledUpDays,
    'receipts verified': receipts,
    audits,
    violations: problems.length,
  })
  for (const problem of problems) console.error(`  ${problem}`)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await servers.stop()
  removeDataDir(dataDir)
}
process.exit()
