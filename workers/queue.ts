import { type ConnectionOptions, type JobsOptions, Queue } from 'bullmq'

/**
 * All jobs and their payloads: ids only, the handler reads current data. Each job has its own
 * queue, so that a slow mail server cannot delay credits.
 */
export type Jobs = {
  /** Credits the due sessions of some shards. */
  'sweep-credits': { shards: number[] }
  /** Finds intervals that the sweeps missed. */
  'check-credits': Record<string, never>
  /** Ends the sessions whose 24 hours are over. */
  'end-sessions': Record<string, never>
  /** Sends one mail of the outbox. */
  'send-mail': { mailId: number }
  /** Creates partitions, deletes expired rows, requeues mails without a job, sets gauges. */
  maintenance: Record<string, never>
}

export type JobName = keyof Jobs

/**
 * Key prefix of the queues; the braces are a hash tag that keeps them in one Redis Cluster slot.
 */
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

/** Retention of jobs: the newest 1,000 failed ones stay for operators. */
export const JOB_RETENTION: JobsOptions = { removeOnComplete: true, removeOnFail: { count: 1_000 } }

/**
 * Options of a mail's job: exponential backoff from 2 s, and one job a mail (`jobId`). Failed jobs
 * are removed, because a kept job id would keep maintenance from queueing the mail again; the table
 * `mails` records the failure.
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
