import { format } from 'node:util'
import { misspeltSettings } from './config/misspelt-settings.ts'
import { createLog } from './log.ts'
import { OperatorError } from './operator-error.ts'
import { readEnvironment } from './process/environment.ts'
import { explain } from './process/explain-error.ts'
import { stopAtSignals } from './process/lifetime/shutdown.ts'

/** Limit of a graceful shutdown; the process exits with 1 when it is reached. */
const DRAIN_MS = 20_000

/** Stacks and bare texts of libraries go through the JSON log; what operators can mend is one sentence. */
function logUncaught(role: string): (error: unknown, what: string) => never {
  const log = createLog(role, 'warn')
  const fail = (err: unknown, what: string): never => {
    const reason = explain(err)
    log.fatal(typeof reason === 'string' ? { reason } : { err }, `${what}; the process exits`)
    process.exit(1)
  }
  const warned = new Set<string>()
  console.warn = (...parts: unknown[]) => {
    const text = format(...parts)
    if (!warned.has(text)) log.warn({ library: text }, 'a library warns')
    warned.add(text)
  }
  // ioredis prints a stack for each try to reach a Sentinel that is away.
  const print = console.error
  console.error = (...parts: unknown[]) =>
    (String(parts[0]).startsWith('[ioredis]') ? console.warn : print)(...parts)
  process.on('uncaughtException', (error) => fail(error, 'uncaught error'))
  // Replaces Node's own listener, which prints text.
  process.removeAllListeners('warning')
  process.on('warning', (err) => log.warn({ err }, 'Node.js process warning'))
  return fail
}

/** Warns of what would be noticed late: a development role, an ignored setting. */
function warnOfSettings(role: string): void {
  const log = createLog(role, 'warn')
  const env = readEnvironment()
  if (env.NODE_ENV !== 'production') {
    log.warn(
      'development: NODE_ENV is not production, so secrets are generated and no mail is sent',
    )
  }
  for (const [name, meant] of misspeltSettings(env)) {
    log.warn({ name }, `the setting ${name} is unknown and ignored: is ${meant} meant?`)
  }
}

/** A second signal exits immediately. Unusable settings or a foreign schema are printed as text. */
export function runRole(role: string, start: () => Promise<{ close(): Promise<void> }>): void {
  const fail = logUncaught(role)
  const running = start()
  // V8 keeps the garbage of a start while there is room. Only with Node's option `--expose-gc`.
  running.then(
    () => {
      warnOfSettings(role)
      globalThis.gc?.()
    },
    () => {},
  )
  running.catch((error) => {
    if (!(error instanceof OperatorError)) fail(error, 'start failed')
    console.error(error.message)
    process.exit(1)
  })
  stopAtSignals(async () => {
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    await running.then((role) => role.close())
    process.exit(0)
  })
}
