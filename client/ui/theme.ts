/** Duration of the longest animation, real ms; an endless one shows a state and is not waited for. */
export const LONGEST_ANIMATION_MS = 300

/** The value of a theme variable such as `--color-mint`: a chart cannot resolve `var()`. */
export function themeValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
