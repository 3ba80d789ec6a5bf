/** Real ms after which the app starts on a page that is not painted. */
const LONGEST_WAIT_MS = 1_000

/**
 * Resolves when the browser reports the first paint of the page, whose code would delay it. A frame
 * callback is too early for that: the frame is composed and presented after it. A hidden page is not
 * painted, and waits for nothing.
 */
export async function shellPainted(): Promise<void> {
  if (document.hidden) return
  await new Promise<void>((resolve) => {
    const observer = new PerformanceObserver(end)
    function end() {
      observer.disconnect()
      resolve()
    }
    observer.observe({ type: 'paint', buffered: true })
    setTimeout(end, LONGEST_WAIT_MS)
  })
}
