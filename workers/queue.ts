import { type ConnectionOptions, type JobsOptions, Queue } from 'bullmq'

/**
 * Every job of the product and what it carries: ids alone, the handler reads the rest again. Each
 * has a queue of its own, so that a slow mail server never delays a credit.
 */
export type Jobs = {
  /** Credits the sessions of one shard that are due. */
  'credit-due': { shard: number }
  /** Ends the sessions whose 24 hours are over. */
  'end-sessions': Record<string, never>
  /** Sends one mail of the outbox. */
  'send-mail': { mailId: number }
  /** Partitions ahead, old codes, keys and documents, forgotten mails, the credit lag. */
  maintenance: Record<string, never>
}

export type JobName = keyof Jobs

/** Where the queues of a prefix live; the braces keep them in one slot of a Redis cluster. */
export function queuePrefix(prefix: string): string {
  return `{${prefix}}:queue`
}

/** The queue of one job, for adding to it. */
export function jobQueue<J extends JobName>(
  name: J,
  connection: ConnectionOptions,
  prefix: string,
): Queue<Jobs[J], void, string> {
  return new Queue(name, { connection, prefix: queuePrefix(prefix) })
}

/** Failed jobs are kept for the operators; finished ones tell nothing. */
export const JOB_RETENTION: JobsOptions = { removeOnComplete: true, removeOnFail: { count: 1_000 } }

/**
 * Options under which a mail is sent: tried again after 2, 4, 8 … seconds, never queued twice. What
 * failed stands in the table of mails; a job kept here would stop maintenance from queueing it again.
 */
export function mailJobOptions(mailId: number, attempts: number): JobsOptions {
  return {
    ...JOB_RETENTION,
    removeOnFail: true,
    jobId: `mail-${mailId}`,
    attempts,
    backoff: { type: 'exponential', delay: 2_000 },
  }
}
