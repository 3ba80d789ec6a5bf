import type { ConnectionOptions, JobsOptions, Queue } from 'bullmq'
import { MAIL_TRIES } from '#db/mails'
import type { BucketRange } from '#rules/buckets'
import type { Cause } from '#runtime/logging/request-id'

/** Key prefix of the queues; the braces are a hash tag that keeps them in one Redis Cluster slot. */
export function queuePrefix(prefix: string): string {
  return `{${prefix}}:queue`
}

/**
 * All jobs and their payloads: ids only, the handler reads current data. Each job has its own
 * queue, so that a slow mail server cannot delay credits.
 */
export type Jobs = {
  /** Credits the due sessions of some buckets. */
  'sweep-credits': { buckets: BucketRange }
  /** Finds intervals that the sweeps missed. */
  'check-credits': Record<string, never>
  /** Ends the sessions whose 24 hours are over. */
  'end-sessions': Record<string, never>
  /** Sends reminders and notices, and queues announcements. */
  'send-reminders': Record<string, never>
  /** Reads what members write to the Telegram bot. */
  'read-telegram': Record<string, never>
  /** Adds the jobs of mails in the outbox; or again those whose job may be lost. */
  'queue-mails': { lost?: true }
  /** Sends one mail of the outbox. */
  'send-mail': { mailId: number }
  /** Reads what members mined this week into Redis. */
  'rebuild-week-board': Record<string, never>
  /** Archives old sessions and rolls up the credits of old days of the ledger. */
  'roll-up-ledger': Record<string, never>
  /** Seals the days of the ledger that are complete; or again those with late rows. */
  'seal-ledger': { lateRows?: true }
  /** Creates and merges partitions, deletes expired rows, counts the figures of the day, looks at teams. */
  maintenance: Record<string, never>
}

export type JobName = keyof Jobs

/** What Redis holds of a job: its payload, and the job that caused it. */
export type JobData<J extends JobName> = Jobs[J] & Cause

/** Retention of jobs: the newest 1,000 failed ones stay for operators. */
export const JOB_RETENTION: JobsOptions = { removeOnComplete: true, removeOnFail: { count: 1_000 } }

/**
 * Options of a mail's job: exponential backoff from 2 s, and one job a mail (`jobId`). Failed jobs
 * are removed, because a kept job id would keep the mail from being queued again; the table `mails`
 * records the failure. A reminder gets a priority: jobs without one, such as codes, go first.
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

/**
 * The queue of one job, for adding to it. BullMQ takes 10 MB, so it is loaded with the first queue: most
 * commands of operators do without.
 */
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
