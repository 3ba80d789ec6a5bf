import { replaceEqualDeep } from '@tanstack/react-query'
import type { AsOf } from '#rules/snapshots'

/** A snapshot that much older than the known one says that the database's clock was set back. */
export const CLOCK_SET_BACK_MS = 60_000

type Snapshot = { asOf: AsOf }

function isSnapshot(data: unknown): data is Snapshot {
  return (
    typeof data === 'object' && data !== null && 'asOf' in data && typeof data.asOf === 'number'
  )
}

/**
 * Of two values for the same key the one to keep: a REST answer, a poll and a push may arrive in
 * any order, twice or late, and the newest stays. What carries no time is simply replaced.
 */
export function newest(known: unknown, next: unknown): unknown {
  if (isSnapshot(known) && isSnapshot(next)) {
    const olderBy = known.asOf - next.asOf
    if (olderBy >= 0 && olderBy <= CLOCK_SET_BACK_MS) return known
  }
  return replaceEqualDeep(known, next)
}
