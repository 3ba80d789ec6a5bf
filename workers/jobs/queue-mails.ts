import { mailsToQueue, noteQueued } from '#db/mails'
import type { Handler } from '#workers/job'
import { mailJobOptions } from '#workers/queue'

/** Adds the jobs of new mails; with `lost`, again those of mails that wait for longer. */
export const queueMails: Handler<'queue-mails'> = async ({ db, mailQueue }, { lost = false }) => {
  const mails = await mailsToQueue(db, lost)
  if (mails.length === 0) return
  await mailQueue.addBulk(
    mails.map(({ id: mailId, unsubscribes }) => ({
      name: 'send-mail',
      data: { mailId },
      opts: mailJobOptions(mailId, { isReminder: unsubscribes !== null }),
    })),
  )
  // Afterwards: without Redis the next run finds them again, and a job that exists is not added twice.
  await noteQueued(
    db,
    mails.map(({ id }) => id),
  )
}
