import { useAtomValue } from 'jotai'
import { connectionAtom } from '#client/live/connection-state.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#rules/constants'

/** Polled figures younger than that are as good as live ones. */
const FRESH_MS = 10 * SECOND_MS

/** `45 s ago`, `12 min ago`, `3 h ago`. */
export function ageText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s ago`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`
  return `${Math.floor(ms / HOUR_MS)} h ago`
}

/** Marks the figures beside it with their age while they are not live. */
export function StaleNote() {
  const { state, ageMs } = useAtomValue(connectionAtom)
  if (state === 'live' || ageMs < FRESH_MS) return null
  return (
    <span className="rounded-full border border-amber-line bg-amber-soft px-2.5 py-0.5 text-xs text-amber">
      Last known {ageText(ageMs)}
    </span>
  )
}
