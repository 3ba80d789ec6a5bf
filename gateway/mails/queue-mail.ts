import { MAIL_TRIES } from '#db/mails'
import type { Services } from '#gateway/services/services'

/** Queues a mail of the outbox. If the queue is unavailable, the maintenance job queues it later. */
export async function queueMail(
  { mailJobs, log }: Pick<Services, 'mailJobs' | 'log'>,
  mailId: number,
): Promise<void> {
  await mailJobs
    .add(mailId, MAIL_TRIES)
    .catch((error) =>
      log.warn({ err: error, mailId }, 'mail not queued; maintenance queues it later'),
    )
}
