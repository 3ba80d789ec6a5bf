import { type ConnectionOptions, Queue } from 'bullmq'
import type { JobName, Jobs } from './queue.ts'
import { queuePrefix } from './queue-prefix.ts'

/** The queue of one job, for adding to it. */
export function jobQueue<J extends JobName>(
  name: J,
  connection: ConnectionOptions,
  prefix: string,
): Queue<Jobs[J], void, string> {
  return new Queue(name, { connection, prefix: queuePrefix(prefix) })
}
