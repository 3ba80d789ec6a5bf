import type { ActivityPage } from '#rules/snapshots'

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
