import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { removeDataDir } from '#scripts/embedded/postgres/postgres-home'
import { startEmbedded } from '#scripts/embedded/servers'
import { runSimulation } from '#scripts/simulation/run'

/**
 * `npm run simulate -- [--seed n] [--histories n] [--parallel n]`: plays histories of members against
 * the model until so many are done. `--seed n --only k` plays history k of one seed again.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '1000' },
    only: { type: 'string' },
    parallel: { type: 'string', default: String(Math.min(4, os.availableParallelism())) },
  },
})
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-simulate-'))
// Postgres runs under another account if this process is root.
fs.chmodSync(folder, 0o755)
const dataDir = path.join(folder, 'data')
const servers = await startEmbedded({
  dataDir,
  durable: false,
  wanted: { postgres: true, valkey: false },
})
try {
  const isRight = await runSimulation(servers.databaseUrl, {
    seed: Number(values.seed),
    histories: Number(values.histories),
    only: values.only === undefined ? undefined : Number(values.only),
    parallel: Number(values.parallel),
  })
  process.exitCode = isRight ? 0 : 1
} finally {
  await servers.stop()
  removeDataDir(dataDir)
  fs.rmSync(folder, { recursive: true, force: true })
}
process.exit()
