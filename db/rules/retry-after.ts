import { SECOND_MS } from './constants.ts'

/** A header `Retry-After` (seconds, or a date later than `now`) as ms; undefined if absent or malformed. */
export function retryAfterMs(value: string | null | undefined, now: number): number | undefined {
  if (!value) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
