import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { ReminderSettings } from '#rules/members/account-snapshots'
import type { Language } from '#rules/members/languages'

/** What a member has switched on; `signInName` is the sign-in of the request. */
export async function readReminders(
  db: Db,
  memberId: number,
  { signInName, pushKey }: { signInName: string | undefined; pushKey: string | undefined },
): Promise<ReminderSettings> {
  const preferences = await db('reminder_preferences').where({ userId: memberId }).first('mail')
  const devices = await db('push_subscriptions')
    .where({ userId: memberId })
    .orderBy('id', 'desc')
    .select('id', 'device', 'createdAt', 'signInName')
  return {
    mail: preferences?.mail ?? false,
    pushKey: pushKey ?? null,
    devices: devices.map(({ id, device, createdAt, signInName: owner }) => ({
      id,
      device,
      addedAt: createdAt.toISOString(),
      current: owner === signInName,
    })),
  }
}

/** Switches the member's reminders by mail on or off; they are written in this language. */
export async function setMailReminders(
  tx: Tx,
  memberId: number,
  { on, language }: { on: boolean; language: Language },
): Promise<void> {
  await tx('reminder_preferences')
    .insert({ userId: memberId, mail: on, language })
    .onConflict('userId')
    .merge()
}

/** Switches them off; nothing for a deleted member, who has no preferences. */
export async function endMailReminders(db: Db, memberId: number): Promise<void> {
  await db('reminder_preferences').where({ userId: memberId }).update({ mail: false })
}

/** Deletes what a deleted member had switched on, and the reminders that were not sent yet. */
export async function deleteRemindersOf(tx: Tx, memberId: number): Promise<void> {
  for (const table of ['reminder_preferences', 'push_subscriptions', 'reminders']) {
    await tx(table).where({ userId: memberId }).delete()
  }
}
