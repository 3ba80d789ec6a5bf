/** Prefix of the ids of range jobs; those of scheduled sweeps are `repeat:sweep:<due, ms>`. */
const RANGE = 'buckets-'
const SCHEDULED = /^repeat:.*:(\d+)$/
/** A sweep older than this counts as slow, or its process as dead. */
const STUCK_MS = 3_000

export const rangeJobId = (firstBucket: number) => `${RANGE}${firstBucket}`

/**
 * Only one sweep covers all buckets at a time, because two wait for each other's rows. A later one adds a job for
 * each range instead; those that exist stay. The earliest active sweep always runs, in order of activation, not of
 * ids: a stalled sweep runs again under its old id.
 * @param active ids of all active sweeps, newest first
 */
export function chooseSweep(
  active: string[],
  own: string | undefined,
  now: number,
): 'sweep' | 'add ranges' | 'skip' {
  // A job that lost its lock is not active and has index -1: all others are before it.
  const before = own === undefined ? active : active.slice(active.indexOf(own) + 1)
  const due = before.flatMap((id) => SCHEDULED.exec(id)?.[1] ?? []).map(Number)
  if (due.some((at) => at > now - STUCK_MS)) return 'skip'
  const isShared = due.length > 0 || active.some((id) => id.startsWith(RANGE))
  return isShared ? 'add ranges' : 'sweep'
}
