import { claimReminders } from '#db/reminders/outbox'
import { queueAnnouncements } from '#db/reminders/push-notices'
import { MINUTE_MS } from '#rules/constants'
import type { Handler } from '#workers/job'
import { deliverReminder } from '#workers/reminders/deliver-reminder'

/** Reminders that one process sends at the same time. */
const BATCH = 32
/**
 * Longer than a batch takes: the reminders of a killed worker are sent again after it. A push message
 * that was sent before the kill is replaced on the device (decision 24).
 */
const LEASE_MS = MINUTE_MS

/** Sends the reminders and notices that are due. One that fails is due again after its lease. */
export const sendReminders: Handler<'send-reminders'> = async (context) => {
  const { db, stopping, log } = context
  await queueAnnouncements(db)
  while (!stopping.aborted) {
    const claimed = await claimReminders(db, { limit: BATCH, leaseMs: LEASE_MS })
    await Promise.all(
      claimed.map((reminder) =>
        deliverReminder(context, reminder).catch((err) =>
          log.error({ err, reminderId: reminder.id }, 'reminder not sent; next try in a minute'),
        ),
      ),
    )
    if (claimed.length < BATCH) return
  }
}
