import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#db/postgres/connection/connect'
import { migrate } from '#db/postgres/schema/migrate'
import { freePort } from '#db/process/config/free-port'
import { startVite } from '#scripts/dev/vite-server'
import { startWatchedRole } from '#scripts/dev/watched-role'
import { assertNotRunning, startMissingServers } from '#scripts/embedded/missing-servers'
import { AlreadyRunningError } from '#scripts/embedded/servers'
import { readEnvironment } from '#scripts/process/environment'
import { Started } from '#scripts/process/lifetime/shutdown'
import { loadConfig } from '#scripts/process/load-config'
import { assertPortIsFree, explainPortError } from '#scripts/process/port'
import { report } from '#scripts/process/progress'
import { DATA_DIR } from '#scripts/process/root'
import { printDemoMembers } from '#scripts/seed/print-demo-members'
import { seedDemo } from '#scripts/seed/seed-demo'

const READY_LIMIT_MS = 60_000

const env = readEnvironment()
const { host, port, production } = loadConfig({
  ...env,
  DATABASE_URL: env.DATABASE_URL || 'postgres://not/started-yet',
  REDIS_URL: env.REDIS_URL || 'redis://not-started-yet',
})
const started = new Started()

function explain(error: unknown): string {
  const { syscall, message, stack } = error as NodeJS.ErrnoException
  if (error instanceof AlreadyRunningError) {
    return `The embedded servers of this folder are in use by process ${error.pid}: stop that first.`
  }
  if (syscall === 'listen') return explainPortError(error as NodeJS.ErrnoException, port)
  return stack ?? message
}

async function prepareDatabase(urls: NodeJS.ProcessEnv): Promise<void> {
  const { databaseUrl, clockSpeed, dataKey } = loadConfig({ ...env, ...urls })
  await migrate(databaseUrl, { clockSpeed })
  const db = connect(databaseUrl, { max: 2, name: 'tesp-seed' })
  await seedDemo(db, dataKey).finally(() => db.destroy())
}

function startRole(role: 'gateway' | 'workers', roleEnv: NodeJS.ProcessEnv) {
  const watched = startWatchedRole(role, roleEnv, (code) => {
    if (started.isStopping) return
    console.error(`The watcher of the ${role} ended (${code})`)
    void started.stop(1)
  })
  void started.add(Promise.resolve(watched), (running) => running.close())
}

async function untilReady(url: string): Promise<void> {
  const end = Date.now() + READY_LIMIT_MS
  while (!started.isStopping) {
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    if (Date.now() > end) throw new Error(`The gateway is not ready after ${READY_LIMIT_MS} ms`)
    await sleep(100)
  }
}

async function start() {
  const urls = await startMissingServers(env, DATA_DIR, started)
  if (started.isStopping) return
  await report('database is migrated and seeded', prepareDatabase(urls))
  if (started.isStopping) return
  const gatewayPort = await freePort()
  const gatewayUrl = `http://127.0.0.1:${gatewayPort}`
  const roleEnv = { ...env, ...urls, NODE_ENV: 'development' }
  startRole('gateway', { ...roleEnv, HOST: '127.0.0.1', PORT: String(gatewayPort) })
  startRole('workers', roleEnv)
  const vite = started.add(startVite({ host, port }, gatewayUrl), (server) => server.close())
  await report('gateway, workers and Vite are running', Promise.all([untilReady(gatewayUrl), vite]))
  if (started.isStopping) return
  const shownHost = host === '127.0.0.1' || host === '0.0.0.0' ? 'localhost' : host
  console.log(`TESP Network is ready for development: http://${shownHost}:${port}`)
  printDemoMembers()
}

started.stopAtSignals()
console.log('Starting TESP Network for development')
try {
  if (production) throw new Error('npm run dev refuses NODE_ENV=production: use npm start')
  assertNotRunning(env, DATA_DIR)
  await assertPortIsFree(port, host)
  await start()
} catch (error) {
  if (!started.isStopping) console.error(explain(error))
  await started.stop(1)
}
