import fs from 'node:fs'
import path from 'node:path'
import type { Config } from '#runtime/config/config'
import { loadConfig } from '#runtime/config/config'
import { readArguments } from '#runtime/process/read-arguments'
import { DATA_DIR } from '#runtime/process/root'
import { buildClient } from '#scripts/build/build-client'
import { report, startMissingServers } from '#scripts/embedded/missing-servers'
import { type LocalStart, startLocally } from './start-locally.ts'

const URL_FILE = path.join(DATA_DIR, 'url')

function runningUrl(): string {
  try {
    return `: ${fs.readFileSync(URL_FILE, 'utf8')}`
  } catch {
    return ''
  }
}

async function startDatabase({ env, started }: LocalStart): Promise<Config> {
  const urls = await startMissingServers(env, DATA_DIR, started)
  fs.rmSync(URL_FILE, { force: true })
  const config = loadConfig({ ...env, ...urls })
  const { host, pathname } = new URL(config.databaseUrl)
  if (env.DATABASE_URL) console.log(`  uses the database ${host}${pathname} of DATABASE_URL`)
  const { migrate } = await import('#db/migrations/migrate')
  const { databaseUrl, databaseDirectUrl = databaseUrl, clockSpeed } = config
  if (!started.isStopping) {
    await report('database is up to date', migrate(databaseDirectUrl, { clockSpeed }))
  }
  return config
}

/** From the product's port to its console's, so that several products run side by side. */
const CONSOLE_DISTANCE = 100

/** With the embedded database only: elsewhere the console is its own process. */
async function startEmbeddedConsole({ env, port, started }: LocalStart, config: Config) {
  if (env.DATABASE_URL || started.isStopping) return
  const { startLocalConsole } = await import('#operators/commands/console')
  const own = env.CONSOLE_PORT ? config.consolePort : port && port + CONSOLE_DISTANCE
  try {
    const starting = startLocalConsole(config, own)
    const { origin, invitation } = await started.add(starting, (running) => running.close())
    console.log(`Operators’ console: ${invitation ?? origin}`)
    if (invitation) console.log('  This link sets up the first sign-in; it works once.')
  } catch (error) {
    if (started.isStopping) return
    console.error(`The console is not started: ${(error as Error).message}`)
  }
}

async function start(local: LocalStart): Promise<void> {
  const { started } = local
  const [config, { startGateway }, { startWorkers }, { createRegistry }] = await Promise.all([
    startDatabase(local),
    // Loading the modules takes as long as starting the servers, so both run in parallel.
    import('#gateway/server'),
    import('#workers/server'),
    import('#runtime/monitoring/registry'),
    report('client is built', buildClient()),
  ])
  if (started.isStopping) return
  const registry = createRegistry()
  const services = Promise.all([
    started.add(startGateway(config, { registry }), (running) => running.close()),
    started.add(startWorkers(config, registry), (running) => running.close()),
  ])
  const [gateway] = await report('gateway and workers are running', services)
  fs.mkdirSync(DATA_DIR, { recursive: true })
  fs.writeFileSync(URL_FILE, gateway.url)
  console.log(`TESP Network is ready: ${gateway.url}`)
  await startEmbeddedConsole(local, config)
}

readArguments('npm run start', {})
await startLocally({
  title: 'Starting TESP Network',
  explainRunning: ({ pid }) =>
    `TESP Network already runs in this folder (process ${pid})${runningUrl()}`,
  start,
})
