import type { ConnectionOptions, JobsOptions, Queue } from 'bullmq'
import { MAIL_TRIES } from '#db/mails'
import type { BucketRange } from '#rules/buckets'
import type { Cause } from '#runtime/monitoring/tracing'

/** Key prefix of the queues; the braces are a hash tag that keeps them in one Redis Cluster slot. */
export function queuePrefix(prefix: string): string {
  return `{${prefix}}:queue`
}

/** All jobs with their payloads: ids only. Each job has its own queue, so that slow mails cannot delay credits. */
export type Jobs = {
  'sweep-credits': { buckets: BucketRange }
  /** Finds intervals that the sweeps missed. */
  'check-credits': Record<string, never>
  'end-sessions': Record<string, never>
  'send-reminders': Record<string, never>
  'read-telegram': Record<string, never>
  /** `lost`: adds again the jobs that may be lost. */
  'queue-mails': { lost?: true }
  'send-mail': { mailId: number }
  'rebuild-week-board': Record<string, never>
  /** Archives old sessions, too. */
  'roll-up-ledger': Record<string, never>
  /** `lateRows`: seals again the days with late rows. */
  'seal-ledger': { lateRows?: true }
  maintenance: Record<string, never>
}

export type JobName = keyof Jobs

/** What Redis holds of a job: its payload, and the job that caused it. */
export type JobData<J extends JobName> = Jobs[J] & Cause

/** The newest 1,000 failed jobs stay for operators. */
export const JOB_RETENTION: JobsOptions = { removeOnComplete: true, removeOnFail: { count: 1_000 } }

/**
 * Exponential backoff from 2 s, one job a mail. Failed jobs are removed: a kept id would keep the mail from being
 * queued again; the table `mails` records the failure. Jobs without a priority, such as codes, go before reminders.
 */
export function mailJobOptions(mailId: number, { isReminder = false } = {}): JobsOptions {
  return {
    ...JOB_RETENTION,
    removeOnFail: true,
    jobId: `mail-${mailId}`,
    attempts: MAIL_TRIES,
    backoff: { type: 'exponential', delay: 2_000 },
    ...(isReminder && { priority: 1 }),
  }
}

/** The queue of one job, for adding to it. BullMQ takes 10 MB, so it is loaded with the first queue. */
export async function jobQueue<J extends JobName>(
  name: J,
  connection: ConnectionOptions,
  prefix: string,
): Promise<Queue<JobData<J>, void, string>> {
  const { Queue: BullQueue } = await import('bullmq')
  // A queue otherwise waits for its connection indefinitely, and is lost if its first command fails.
  const options = {
    connection,
    prefix: queuePrefix(prefix),
    skipWaitingForReady: true,
    skipVersionCheck: true,
  }
  const queue: Queue<JobData<J>, void, string> = new BullQueue(name, options)
  // The connection logs its errors. Without a listener BullMQ prints each one with its stack.
  return queue.on('error', () => {})
}
