import type { Queue } from 'bullmq'

/** How the ids of the jobs of ranges begin (`rangeJobId`); scheduled sweeps are `repeat:sweep:<due, ms>`. */
const RANGE = 'buckets-'
const SCHEDULED = /^repeat:.*:(\d+)$/
/** Age from which another sweep counts as that of a dead process, or as slow. */
const STUCK_MS = 3_000

export const rangeJobId = (firstBucket: number) => `${RANGE}${firstBucket}`

/**
 * What a scheduled sweep of all buckets does, given the ids of all active sweeps, the newest first, and
 * its own one: two sweeps of the same sessions wait for each other's rows, and the more processes there
 * are, the longer. So only one sweeps all buckets at a time, and none beside the jobs of ranges: it adds
 * a job for each range instead, of which those that exist are left as they are.
 *
 * A sweep gives way only to those that became active before it, so the first of several that begin
 * together never skips. The order is that of activation and not of the ids: a sweep that stalled runs
 * again under its old id, beside newer ones that are at work.
 */
export function turnOf(
  active: string[],
  own: string | undefined,
  now: number,
): 'sweep' | 'add ranges' | 'skip' {
  // A job that is not active, as one that lost its lock, has the index -1: all others are before it.
  const before = own === undefined ? active : active.slice(active.indexOf(own) + 1)
  const due = before.flatMap((id) => SCHEDULED.exec(id)?.[1] ?? []).map(Number)
  if (due.some((at) => at > now - STUCK_MS)) return 'skip'
  const isShared = due.length > 0 || active.some((id) => id.startsWith(RANGE))
  return isShared ? 'add ranges' : 'sweep'
}

/** `turnOf` the sweep of this job, which begins now. BullMQ puts a job that becomes active first. */
export async function sweepTurn(queue: Pick<Queue, 'getRanges'>, own: string | undefined) {
  return turnOf(await queue.getRanges(['active'], 0, -1), own, Date.now())
}
