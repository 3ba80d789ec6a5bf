import { flushSync } from 'react-dom'
import type { AroundNavHandler } from 'wouter'
import { store } from '#client/data/query-cache.ts'
import { connectionAtom } from '#client/live/connection-state.ts'
import { prefersReducedMotion } from '#client/ui/theme.ts'

let isCodeMissing = false

/**
 * Remembers that a code file could not be loaded. Some browsers do not load it again on this page, so the
 * next step of the member loads the whole page, if it has a connection.
 */
export function followMissingCode(): void {
  window.addEventListener('vite:preloadError', () => {
    isCodeMissing = true
  })
}

/**
 * Crossfades between two screens where the browser can. A redirect is no step of the member and
 * happens at once, and so does a step to the page that is open, which adds no entry to the history.
 */
export const crossfade: AroundNavHandler = (navigate, to, options = {}) => {
  const replace = options.replace || to === location.pathname + location.search
  if (!replace && isCodeMissing && store.get(connectionAtom).state !== 'offline')
    return window.location.assign(to)
  const go = () => navigate(to, { ...options, replace })
  const canFade = 'startViewTransition' in document && !document.hidden && !prefersReducedMotion()
  if (replace || !canFade) return go()
  const { ready } = document.startViewTransition(() => flushSync(go))
  // Rejected if the browser skips the animation, as for a second step meanwhile.
  ready.catch(() => {})
}
