import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '#runtime/config/config'
import { freePort } from '#runtime/config/free-port'
import { readArguments } from '#runtime/process/read-arguments'
import { DATA_DIR, ROOT } from '#runtime/process/root'
import { report, startMissingServers } from '#scripts/embedded/missing-servers'
import type { Started } from '#scripts/embedded/started'
import { printDemoMembers } from '#scripts/seed/demo-members'
import { seedConfigured } from '#scripts/seed/seed-demo'
import { type LocalStart, startLocally } from './start-locally.ts'
import { startVite } from './vite-server.ts'

const KILL_AFTER_MS = 25_000

function startWatchedRole(
  role: 'gateway' | 'workers',
  env: NodeJS.ProcessEnv,
  ended: (code: number | null) => void,
) {
  const watch = ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false']
  const child = spawn(
    process.execPath,
    // The channel closes when this process dies, and the watcher stops with it.
    ['--import', './runtime/process/lifetime/stop-with-parent.mjs', ...watch, `${role}/main.ts`],
    { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  let closing = false
  child.once('exit', (code) => closing || ended(code))
  return {
    close: async () => {
      closing = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
      child.kill('SIGTERM')
      await exited
      clearTimeout(timer)
    },
  }
}

const READY_LIMIT_MS = 60_000

function startRole(started: Started, role: 'gateway' | 'workers', env: NodeJS.ProcessEnv): void {
  const watched = startWatchedRole(role, env, (code) => {
    if (started.isStopping) return
    console.error(`The watcher of the ${role} ended (${code})`)
    void started.stop(1)
  })
  void started.add(Promise.resolve(watched), (running) => running.close())
}

async function untilReady(started: Started, url: string): Promise<void> {
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

async function start({ env, host, port, production, started }: LocalStart): Promise<void> {
  if (production) throw new Error('npm run dev refuses NODE_ENV=production: use npm start')
  const urls = await startMissingServers(env, DATA_DIR, started)
  if (started.isStopping) return
  const prepared = seedConfigured(loadConfig({ ...env, ...urls })).then(() => undefined)
  await report('database is migrated and seeded', prepared)
  if (started.isStopping) return
  const gatewayPort = await freePort()
  const gatewayUrl = `http://127.0.0.1:${gatewayPort}`
  const roleEnv = { ...env, ...urls, NODE_ENV: 'development' }
  startRole(started, 'gateway', { ...roleEnv, HOST: '127.0.0.1', PORT: String(gatewayPort) })
  startRole(started, 'workers', roleEnv)
  const vite = started.add(startVite({ host, port }, gatewayUrl), (server) => server.close())
  await report(
    'gateway, workers and Vite are running',
    Promise.all([untilReady(started, gatewayUrl), vite]),
  )
  if (started.isStopping) return
  const shownHost = host === '127.0.0.1' || host === '0.0.0.0' ? 'localhost' : host
  console.log(`TESP Network is ready for development: http://${shownHost}:${port}`)
  printDemoMembers()
}

readArguments('npm run dev', {})
await startLocally({
  title: 'Starting TESP Network for development',
  explainRunning: ({ pid }) =>
    `The embedded servers of this folder are in use by process ${pid}: stop that first.`,
  start,
})
