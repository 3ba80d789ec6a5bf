import { SECOND_MS } from './constants.ts'

/** The UTC day at a time (a date or ms), `2026-11-23`. */
export const dayText = (at: number | Date) => new Date(at).toISOString().slice(0, 10)

const two = (value: number) => String(value).padStart(2, '0')

/** Whole hours, minutes and seconds; 0 for a negative time. */
function split(seconds: number): [hours: number, minutes: number, seconds: number] {
  const whole = Math.max(0, seconds)
  return [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
}

/** `19m 05s`, or `1h 02m 05s` from one hour on; rounded up to whole seconds. */
export function remainingText(ms: number): string {
  const [hours, minutes, seconds] = split(Math.ceil(ms / SECOND_MS))
  const tail = `${two(seconds)}s`
  return hours > 0 ? `${hours}h ${two(minutes)}m ${tail}` : `${minutes}m ${tail}`
}

/** `HH:MM:SS`, rounded down to whole seconds (Specification §9: Clock formatting). */
export function durationText(ms: number): string {
  return split(Math.floor(ms / SECOND_MS))
    .map(two)
    .join(':')
}

/** `MM:SS` of a countdown, rounded up to whole seconds. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS))
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}
