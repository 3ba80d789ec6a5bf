import { ConfigError } from './config.ts'

/** Limit of a graceful shutdown; the process exits with 1 when it is reached. */
const DRAIN_MS = 20_000

/**
 * Runs one role as a process. SIGTERM or SIGINT starts a graceful shutdown, a second signal exits
 * immediately. Unusable settings are printed without a stack.
 */
export function runRole(start: () => Promise<{ close(): Promise<void> }>): void {
  const running = start()
  // V8 keeps the garbage of a start while there is room. Only with Node's option `--expose-gc`.
  running.then(
    () => globalThis.gc?.(),
    () => {},
  )
  running.catch((error) => {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exit(1)
  })
  let stopping = false
  const stop = async () => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    await running.then((role) => role.close())
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
