import type { ActivityPage } from '#rules/snapshots'
import { ACTIVITY_URL, receiveSnapshot, snapshotOf } from './member-data.ts'

/** Rows of the ledger, newest first, and the cursor of the next page. */
export type Rows = Pick<ActivityPage, 'items' | 'next'>

/**
 * Joins the newest page with the rows read before. The newest page moves on while older pages are
 * read. If more rows arrived than it holds, there is a gap: the older rows are dropped and read
 * again.
 */
export function joinRows(newest: Rows, read: Rows | null): Rows {
  if (!read) return newest
  const fresh = new Set(newest.items.map(({ id }) => id))
  const rest = read.items.filter(({ id }) => !fresh.has(id))
  const isContiguous = rest.length < read.items.length || read.items.length === 0
  return isContiguous ? { items: [...newest.items, ...rest], next: read.next } : newest
}

/**
 * Joins the few pushed rows with the cached page. Without a cached page only a complete list is kept:
 * a screen that opens reads a full page.
 */
export function receiveActivity(pushed: ActivityPage): void {
  const cached = snapshotOf(ACTIVITY_URL)
  if (!cached && pushed.next !== null) return
  const rows = cached?.items.length ? joinRows(pushed, cached) : pushed
  receiveSnapshot(ACTIVITY_URL, { ...rows, asOf: pushed.asOf })
}
