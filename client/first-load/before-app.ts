/** Events that show that the visitor uses the page; `input` without any other is an autofill. */
const USES = ['pointermove', 'pointerdown', 'touchstart', 'focusin', 'keydown', 'input'] as const

/** Browsers report a pointer that rests over a new page as one that moved by nothing. */
const isResting = (event: Event) =>
  event.type === 'pointermove' &&
  !(event as PointerEvent).movementX &&
  !(event as PointerEvent).movementY

export function onFirstInteraction(): Promise<void> {
  return new Promise((resolve) => {
    const use = (event?: Event) => {
      if (event && isResting(event)) return
      for (const name of USES) document.removeEventListener(name, use, true)
      resolve()
    }
    for (const name of USES) document.addEventListener(name, use, { capture: true, passive: true })
    // The browser may have restored the focus or a typed text before.
    if (document.activeElement instanceof HTMLInputElement) use()
  })
}

/** Real ms after which the app starts on a page that is not painted. */
const LONGEST_WAIT_MS = 1_000

/** Waits for the first paint, which code would delay; a frame callback runs before the frame is presented. */
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

/** In a new task: the browser can paint and handle input first. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Real ms before a reloaded page is reloaded again, so that clients do not flood a server that is down. */
const PAUSE_MS = 10_000

/** The page may be older than the server's files. Offline a reload would replace the shell by an error page. */
export function reloadAfterFailure(): void {
  const reload = () => window.location.reload()
  if (!navigator.onLine) {
    window.addEventListener('online', reload, { once: true })
    return
  }
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  setTimeout(reload, load?.type === 'reload' ? PAUSE_MS : 0)
}
