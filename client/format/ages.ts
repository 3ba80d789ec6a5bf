import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'

/** The age of figures for a badge: `7s`, from one minute on `2m`; never negative. */
export function shortAgeText(ageMs: number): string {
  if (ageMs < MINUTE_MS) return `${Math.max(0, Math.floor(ageMs / SECOND_MS))}s`
  return `${Math.floor(ageMs / MINUTE_MS)}m`
}

/** The age of figures in a sentence: `45 s ago`, `12 min ago`, `3 h ago`. */
export function agoText(ageMs: number): string {
  if (ageMs < MINUTE_MS) return `${Math.floor(ageMs / SECOND_MS)} s ago`
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min ago`
  return `${Math.floor(ageMs / HOUR_MS)} h ago`
}
