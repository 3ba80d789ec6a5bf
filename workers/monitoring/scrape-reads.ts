import { setTimeout as sleep } from 'node:timers/promises'

/** Time after which a scrape does not wait for Postgres or Redis any longer. */
const READ_TIMEOUT_MS = 2_000

/** The result of a read; undefined if it fails or takes too long. */
export async function readInTime<T>(read: () => Promise<T>): Promise<T | undefined> {
  const timeout = new AbortController()
  const late = sleep(READ_TIMEOUT_MS, undefined, { signal: timeout.signal, ref: false })
  const result = await Promise.race([read(), late]).catch(() => undefined)
  timeout.abort()
  late.catch(() => {})
  return result
}

/**
 * Reads the credit lag, in seconds. If it cannot be read, nothing can be credited either: the lag is
 * the last one plus the time since then.
 */
export function risingLag(readLag: () => Promise<number>): () => Promise<number> {
  let last = { lag: 0, at: performance.now() }
  return async () => {
    const lag = await readInTime(readLag)
    const at = performance.now()
    if (lag === undefined) return last.lag + (at - last.at) / 1_000
    last = { lag, at }
    return lag
  }
}
