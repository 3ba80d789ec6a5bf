import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves to undefined instead of rejecting, or of taking longer than the limit. */
export function orNothing<T>(promise: Promise<T>, limitMs: number): Promise<T | undefined> {
  const limit = sleep(limitMs, undefined, { ref: false })
  return Promise.race([promise.catch(() => undefined), limit])
}
