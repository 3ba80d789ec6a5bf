/** Real ms before a page that was reloaded is reloaded again, so that nobody storms a server that is away. */
const PAUSE_MS = 10_000

/** Reloads a page whose code could not be loaded: it may be older than the files that the server has now. */
export function reloadAfterFailure(): void {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  setTimeout(() => window.location.reload(), load?.type === 'reload' ? PAUSE_MS : 0)
}
