import { flushSync } from 'react-dom'
import type { AroundNavHandler } from 'wouter'
import { prefersReducedMotion } from '#client/ui/theme.ts'

let loadsPages = () => false

/** While `check` returns true, navigation by the member loads the whole page. */
export function loadPagesWhile(check: () => boolean): void {
  loadsPages = check
}

/** Redirects, and a step to the open page, which adds no entry to the history, happen at once. */
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
