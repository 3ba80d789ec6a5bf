/** Real ms after which the app starts on a page that is not painted, because it is hidden. */
const LONGEST_WAIT_MS = 1_000

/**
 * Resolves when the browser reports the first paint of the page, whose code would delay it. A frame
 * callback is too early for that: the frame is composed and presented after it.
 */
export function shellPainted(): Promise<void> {
  return new Promise((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true })
    setTimeout(resolve, LONGEST_WAIT_MS)
  })
}
