import fs from 'node:fs'
import path from 'node:path'
import type { Config } from '#db/process/config/config'
import { buildClient } from '#scripts/build/build-client'
import { assertNotRunning, startMissingServers } from '#scripts/embedded/missing-servers'
import { AlreadyRunningError } from '#scripts/embedded/servers'
import { readEnvironment } from '#scripts/process/environment'
import { Started } from '#scripts/process/lifetime/shutdown'
import { loadConfig } from '#scripts/process/load-config'
import { assertPortIsFree, explainPortError } from '#scripts/process/port'
import { report } from '#scripts/process/progress'
import { DATA_DIR } from '#scripts/process/root'

const URL_FILE = path.join(DATA_DIR, 'url')

const env = readEnvironment()
const { host, port } = loadConfig({
  ...env,
  DATABASE_URL: env.DATABASE_URL || 'postgres://not/started-yet',
  REDIS_URL: env.REDIS_URL || 'redis://not-started-yet',
})
const started = new Started()

function runningUrl(): string {
  try {
    return `: ${fs.readFileSync(URL_FILE, 'utf8')}`
  } catch {
    return ''
  }
}

function explain(error: unknown): string {
  if (error instanceof AlreadyRunningError) {
    return `TESP Network already runs in this folder (process ${error.pid})${runningUrl()}`
  }
  const { syscall, message, stack } = error as NodeJS.ErrnoException
  if (syscall === 'listen') return explainPortError(error as NodeJS.ErrnoException, port)
  return stack ?? message
}

async function startDatabase(): Promise<Config> {
  const urls = await startMissingServers(env, DATA_DIR, started)
  const config = loadConfig({ ...env, ...urls })
  const { migrate } = await import('#db/postgres/schema/migrate')
  const { databaseUrl, databaseDirectUrl = databaseUrl, clockSpeed } = config
  if (!started.isStopping) {
    await report('database is up to date', migrate(databaseDirectUrl, { clockSpeed }))
  }
  return config
}

async function start() {
  const [config, { startGateway }, { startWorkers }, { createRegistry }] = await Promise.all([
    startDatabase(),
    // Loading the modules takes as long as starting the servers, so both run in parallel.
    import('#gateway/server'),
    import('#workers/server'),
    import('#db/monitoring/registry'),
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
}

started.stopAtSignals()
console.log('Starting TESP Network')
try {
  assertNotRunning(env, DATA_DIR)
  await assertPortIsFree(port, host)
  await start()
} catch (error) {
  if (!started.isStopping) console.error(explain(error))
  await started.stop(1)
}
