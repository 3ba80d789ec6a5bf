import { type ClaimedReminder, claimReminders } from '#db/reminders/outbox'
import { queueAnnouncements } from '#db/reminders/push-notices'
import { MINUTE_MS } from '#rules/constants'
import type { Context, Handler } from '#workers/job'
import { deliverReminder } from '#workers/reminders/deliver-reminder'

/** Concurrent sends of one process, and reminders of one claim. */
const BATCH = 32
/** Longer than a claimed reminder takes. After a kill it is sent again and replaced on the device (decision 24). */
const LEASE_MS = MINUTE_MS

/** Shared by all slots. Queues announcements with each claim, because an urgent one overtakes news. */
async function* claimDue({ db, log, stopping }: Context): AsyncGenerator<ClaimedReminder, void> {
  let canQueue = true
  while (!stopping.aborted) {
    if (canQueue) {
      await queueAnnouncements(db).catch((err) => {
        log.error({ err }, 'announcements not queued; next try in 5 s')
        canQueue = false
      })
    }
    const claimed = await claimReminders(db, { limit: BATCH, leaseMs: LEASE_MS })
    yield* claimed
    if (claimed.length < BATCH) return
  }
}

/** A reminder that fails is due again after its lease. */
export const sendReminders: Handler<'send-reminders'> = async (context) => {
  const { log } = context
  const due = claimDue(context)
  // Each slot goes on by itself, so that a device that does not answer holds up one of them.
  const send = async () => {
    for await (const reminder of due) {
      await deliverReminder(context, reminder).catch((err) =>
        log.error({ err, reminderId: reminder.id }, 'reminder not sent; next try in a minute'),
      )
    }
  }
  // The job lasts as long as any slot: a stop waits for it before it closes the database.
  const ended = await Promise.allSettled(Array.from({ length: BATCH }, send))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}
