const PAINT = 'paint'
const HIDING = 'visibilitychange'

/**
 * Resolves when the browser reports the first paint of the page, whose code would delay it. A frame
 * callback is too early for that: the frame is composed and presented after it. Resolves at once on
 * a hidden page, which paints nothing.
 */
export function shellPainted(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) return resolve()
    if (!PerformanceObserver.supportedEntryTypes.includes(PAINT)) {
      requestAnimationFrame(() => setTimeout(resolve, 0))
      return
    }
    const observer = new PerformanceObserver(end)
    function end() {
      observer.disconnect()
      document.removeEventListener(HIDING, end)
      resolve()
    }
    document.addEventListener(HIDING, end)
    observer.observe({ type: PAINT, buffered: true })
  })
}
