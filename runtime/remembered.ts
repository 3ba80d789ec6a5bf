/** One read for all callers of the next `ms`; after a failed one the next caller reads again. */
export function remembered<T>(
  read: () => Promise<T>,
  ms: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { result: Promise<T>; until: number } | undefined
  return () => {
    if (!last || last.until <= now()) {
      last = { result: read(), until: now() + ms }
      last.result.catch(() => {
        last = undefined
      })
    }
    return last.result
  }
}
