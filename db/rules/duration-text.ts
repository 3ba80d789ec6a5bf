import { HOUR_MS, MINUTE_MS, SECOND_MS } from './constants.ts'

/** The UTC day at a time (a date or ms), `2026-11-23`. */
export const dayText = (at: number | Date) => new Date(at).toISOString().slice(0, 10)

const two = (value: number) => String(value).padStart(2, '0')

/** `19m 05s`, or `1h 02m 05s` from one hour on; rounded up to whole seconds. */
export function remainingText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS))
  const hours = Math.floor(seconds / 3600)
  const rest = `${Math.floor((seconds % 3600) / 60)}`
  const tail = `${two(seconds % 60)}s`
  return hours > 0 ? `${hours}h ${two(Number(rest))}m ${tail}` : `${rest}m ${tail}`
}

/** `HH:MM:SS`, rounded down to whole seconds (Specification §9: Clock formatting). */
export function durationText(ms: number): string {
  const safe = Math.max(0, ms)
  const hours = Math.floor(safe / HOUR_MS)
  const minutes = Math.floor((safe % HOUR_MS) / MINUTE_MS)
  const seconds = Math.floor((safe % MINUTE_MS) / SECOND_MS)
  return `${two(hours)}:${two(minutes)}:${two(seconds)}`
}

/** `MM:SS` of a countdown, rounded up to whole seconds. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS))
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}
