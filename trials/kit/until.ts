import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for what `find` finds; an error of it counts as nothing. @throws {Error} with the last one and the logs */
export async function until<T>(
  what: string,
  find: () => Promise<T> | T,
  { limitMs = 60_000, pauseMs = 100, logs = async () => '' } = {},
): Promise<Exclude<T, undefined | null | false>> {
  let reason: unknown = ''
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(pauseMs)) {
    try {
      const found = await find()
      if (found) return found as Exclude<T, undefined | null | false>
    } catch (error) {
      reason = error
    }
  }
  throw new Error(`not within ${limitMs / 1_000} s: ${what} ${reason}\n${await logs()}`.trimEnd())
}

/**
 * Does the work again and again with pauses. The returned function ends that, after the work that is under way, and
 * rejects if the work failed.
 */
export function repeating(work: () => Promise<unknown>, pauseMs: number): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    while (!signal.aborted) {
      await work()
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  })()
  // Until the caller stops it, nobody awaits it.
  running.catch(() => {})
  return async () => {
    stopping.abort()
    await running
  }
}

/** Starts `work` in the order of the items, `count` at a time. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const takeNext = async () => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: count }, takeNext))
  return results
}
