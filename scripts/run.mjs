// Plain Node, built-ins only: every npm script starts here, even before anything is installed.
import { spawn } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchParent } from '#runtime/process/lifetime/parent-watch.mjs'
import { COMMANDS } from './commands.mjs'
import { ensureDeps } from './install/ensure-deps.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const typed = process.argv.slice(2)
/** `npm start gateway` runs that role alone. */
const isRole = typed[0] === 'start' && ['gateway', 'workers'].includes(typed[1])
const [command, ...args] = isRole ? typed.slice(1) : typed

function fail(message) {
  console.error(message)
  process.exit(1)
}

const children = new Set()

/** `output`, if given, receives what the step prints instead of the terminal. */
function run({ argv, env, service }, output) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: service ? ['inherit', 'inherit', 'inherit', 'ipc'] : output ? 'pipe' : 'inherit',
    })
    if (output) for (const stream of [child.stdout, child.stderr]) stream.on('data', output)
    const forward = (signal) => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, forward)
    children.add(child)
    child.once('error', reject)
    child.once(output ? 'close' : 'exit', (code, signal) => {
      children.delete(child)
      for (const name of signals) process.off(name, forward)
      resolve(code ?? 128 + (os.constants.signals[signal] ?? 1))
    })
  })
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`TESP Network needs Node 20.19 or newer; this is ${process.version}.`)
}
if (process.platform === 'win32')
  fail('TESP Network runs on Linux and macOS; on Windows inside WSL 2.')
if (!Object.hasOwn(COMMANDS, command ?? '')) {
  fail(`Usage: node scripts/run.mjs <${Object.keys(COMMANDS).join('|')}> [arguments]`)
}
process.chdir(root)
// Before the first step only an installation runs, which ends when this process exits.
watchParent(() => {
  if (children.size === 0) process.exit(1)
  for (const child of children) child.kill('SIGTERM')
})
try {
  await ensureDeps(root)
} catch (error) {
  fail(error.message)
}

/** The output of parallel steps is printed in one piece each. */
async function runBeside(step) {
  const startedAt = performance.now()
  const chunks = []
  const code = await run(step, (chunk) => chunks.push(chunk))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const output = Buffer.concat(chunks).toString().trim()
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${seconds.padStart(5)} s  ${step.name}`)
  if (output) console.log(`${output}\n`)
  return code
}

const steps = COMMANDS[command].map((step) => step(root))
steps.at(-1).argv.push(...args)
const codes = steps.length > 1 ? await Promise.all(steps.map(runBeside)) : [await run(steps[0])]
process.exit(codes.find((code) => code !== 0) ?? 0)
