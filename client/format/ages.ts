import { i18n } from '#client/language/language.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'

/** For a badge: `7s`, from one minute on `2m`; never negative. */
export function shortAgeText(ageMs: number): string {
  return ageMs < MINUTE_MS
    ? i18n.t('layout:connection.ageSeconds', { count: Math.max(0, Math.floor(ageMs / SECOND_MS)) })
    : i18n.t('layout:connection.ageMinutes', { count: Math.floor(ageMs / MINUTE_MS) })
}

/** For a sentence: `45 s ago`, `12 min ago`, `3 h ago`. */
export function agoText(ageMs: number): string {
  if (ageMs < MINUTE_MS) return i18n.t('age.seconds', { count: Math.floor(ageMs / SECOND_MS) })
  if (ageMs < HOUR_MS) return i18n.t('age.minutes', { count: Math.floor(ageMs / MINUTE_MS) })
  return i18n.t('age.hours', { count: Math.floor(ageMs / HOUR_MS) })
}
