/** Real ms before a page that was reloaded is reloaded again, so that nobody storms a server that is away. */
const PAUSE_MS = 10_000

/**
 * Reloads a page whose code could not be loaded: it may be older than the files that the server has now.
 * Without a network the shell stays until the browser is online: a reload would replace it by an error page.
 */
export function reloadAfterFailure(): void {
  const reload = () => window.location.reload()
  if (!navigator.onLine) {
    window.addEventListener('online', reload, { once: true })
    return
  }
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  setTimeout(reload, load?.type === 'reload' ? PAUSE_MS : 0)
}
