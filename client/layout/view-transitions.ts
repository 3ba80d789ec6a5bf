import { flushSync } from 'react-dom'
import type { AroundNavHandler } from 'wouter'
import { prefersReducedMotion } from '#client/ui/theme.ts'

/**
 * Crossfades between two screens where the browser can. A redirect is no step of the member and
 * happens at once.
 */
export const crossfade: AroundNavHandler = (navigate, to, options) => {
  const go = () => navigate(to, options)
  const isStep = !options?.replace && to !== location.pathname
  const canFade = 'startViewTransition' in document && !document.hidden && !prefersReducedMotion()
  if (!isStep || !canFade) return go()
  const { ready } = document.startViewTransition(() => flushSync(go))
  // Rejected if the browser skips the animation, as for a second step meanwhile.
  ready.catch(() => {})
}
