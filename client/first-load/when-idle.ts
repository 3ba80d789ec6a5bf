/** Real ms after which what waits begins on a page that is never idle. */
const LONGEST_WAIT_MS = 2_000
/** Real ms that stand for idleness where the browser does not report it. */
const ASSUMED_IDLE_MS = 200

export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') {
      requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT_MS })
    } else {
      setTimeout(resolve, ASSUMED_IDLE_MS)
    }
  })
}
