import type { Queue } from 'bullmq'

/** How the ids of the jobs of ranges begin (`rangeJobId`); scheduled sweeps are `repeat:sweep:<due, ms>`. */
const RANGE = 'buckets-'
const SCHEDULED = /^repeat:.*:(\d+)$/
/** Age from which another sweep counts as that of a dead process, or as slow. */
const STUCK_MS = 3_000

export const rangeJobId = (firstBucket: number) => `${RANGE}${firstBucket}`

/**
 * What a scheduled sweep of all buckets does, given the ids of all active sweeps, its own included:
 * two sweeps of the same sessions wait for each other's rows, and the more processes there are, the
 * longer. So only one sweeps all buckets at a time, and none beside the jobs of ranges: it adds a
 * job for each range instead, of which those that exist are left as they are.
 */
export function turnOf(active: string[], now: number): 'sweep' | 'add ranges' | 'skip' {
  const due = active.flatMap((id) => SCHEDULED.exec(id)?.[1] ?? []).map(Number)
  const others = due.sort((a, b) => a - b).slice(0, -1)
  if (others.some((at) => at > now - STUCK_MS)) return 'skip'
  const isShared = others.length > 0 || active.some((id) => id.startsWith(RANGE))
  return isShared ? 'add ranges' : 'sweep'
}

/** `turnOf` the sweep that begins now. */
export async function sweepTurn(queue: Pick<Queue, 'getRanges'>) {
  return turnOf(await queue.getRanges(['active'], 0, -1), Date.now())
}
