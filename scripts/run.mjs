// Plain Node, built-ins only: every npm script starts here, also on a machine with nothing but Node.
import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMANDS } from './commands.mjs'
import { ensureDeps } from './install/ensure-deps.mjs'
import { watchParent } from './process/parent-watch.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const [command, ...args] = process.argv.slice(2)

function fail(message) {
  console.error(message)
  process.exit(1)
}

function run({ argv, env, service }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: service ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    })
    const forward = (signal) => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    watchParent(() => child.kill('SIGTERM'))
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      for (const name of signals) process.off(name, forward)
      resolve(code ?? 128 + (os.constants.signals[signal] ?? 1))
    })
  })
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`TESP Network needs Node 20.19 or newer; this is ${process.version}.`)
}
if (!Object.hasOwn(COMMANDS, command ?? '')) {
  fail(`Usage: node scripts/run.mjs <${Object.keys(COMMANDS).join('|')}> [arguments]`)
}
process.chdir(root)
try {
  await ensureDeps(root)
} catch (error) {
  fail(error.message)
}

let status = 0
const steps = COMMANDS[command]
for (const [index, step] of steps.entries()) {
  const { argv, ...options } = step(root)
  const last = index === steps.length - 1
  const code = await run({ argv: last ? [...argv, ...args] : argv, ...options })
  status ||= code
}
process.exit(status)
