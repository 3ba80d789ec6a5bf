import { type ConnectionOptions, Queue } from 'bullmq'
import type { JobData, JobName } from './queue.ts'
import { queuePrefix } from './queue-prefix.ts'

/** The queue of one job, for adding to it. */
export function jobQueue<J extends JobName>(
  name: J,
  connection: ConnectionOptions,
  prefix: string,
): Queue<JobData<J>, void, string> {
  const queue: Queue<JobData<J>, void, string> = new Queue(name, {
    connection,
    prefix: queuePrefix(prefix),
  })
  // The connection logs its errors. Without a listener BullMQ prints each one with its stack.
  return queue.on('error', () => {})
}
