import { replaceEqualDeep } from '@tanstack/react-query'
import type { AsOf } from '#rules/snapshots'

/** A snapshot older than the current one by more than this, ms, proves that the database clock was set back. */
export const CLOCK_SET_BACK_MS = 60_000

type Snapshot = { asOf: AsOf }

function isSnapshot(data: unknown): data is Snapshot {
  return (
    typeof data === 'object' && data !== null && 'asOf' in data && typeof data.asOf === 'number'
  )
}

/**
 * The value to keep of two for the same key: answers, polls and pushes may arrive in any order,
 * twice or late, and the newest wins. A value without a time is replaced.
 */
export function newest(current: unknown, next: unknown): unknown {
  if (isSnapshot(current) && isSnapshot(next)) {
    const olderBy = current.asOf - next.asOf
    if (olderBy >= 0 && olderBy <= CLOCK_SET_BACK_MS) return current
  }
  return replaceEqualDeep(current, next)
}
