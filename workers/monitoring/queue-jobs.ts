import type { Queue } from 'bullmq'

/** Jobs of one queue in one state. */
export type QueueJobs = { queue: string; state: string; jobs: number }

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const

/** Counts the jobs of each queue by state. */
export async function countQueueJobs(
  queues: Pick<Queue, 'name' | 'getJobCounts'>[],
): Promise<QueueJobs[]> {
  const counted = await Promise.all(
    queues.map(async (queue) => {
      const counts = await queue.getJobCounts(...STATES)
      return STATES.map((state) => ({ queue: queue.name, state, jobs: counts[state] ?? 0 }))
    }),
  )
  return counted.flat()
}
