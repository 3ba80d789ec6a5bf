import { ConfigError } from './config.ts'

/** Nothing may take longer than this to drain. */
const DRAIN_MS = 20_000

/**
 * Runs one role as a process: starts it, drains it on SIGTERM or SIGINT, and ends with a plain
 * sentence instead of a stack where the settings are not usable.
 */
export function runRole(start: () => Promise<{ close(): Promise<void> }>): void {
  const running = start()
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
