import { flushSync } from 'react-dom'
import type { AroundNavHandler } from 'wouter'
import { prefersReducedMotion } from '#client/ui/theme.ts'

let loadsPages = () => false

/** Lets a step of the member load the whole page while `check` says so. */
export function loadPagesWhile(check: () => boolean): void {
  loadsPages = check
}

/**
 * Crossfades between two screens where the browser can. A redirect is no step of the member and
 * happens at once, and so does a step to the page that is open, which adds no entry to the history.
 */
export const crossfade: AroundNavHandler = (navigate, to, options = {}) => {
  const replace = options.replace || to === location.pathname + location.search
  if (!replace && loadsPages()) return window.location.assign(to)
  const go = () => navigate(to, { ...options, replace })
  const canFade = 'startViewTransition' in document && !document.hidden && !prefersReducedMotion()
  if (replace || !canFade) return go()
  const { ready } = document.startViewTransition(() => flushSync(go))
  // Rejected if the browser skips the animation, as for a second step meanwhile.
  ready.catch(() => {})
}
