import { call } from '#client/data/api.ts'
import { storage } from '#client/data/storage.ts'
import { currentLanguage } from '#client/language/language.ts'
import type { ReminderSettings } from '#rules/members/account-snapshots'
import { currentSubscription, deviceKeys, endPush } from './push-device.ts'
import { showReminders } from './reminder-settings.ts'

const textOf = ({ endpoint }: PushSubscription) => `${currentLanguage()} ${endpoint}`

/** Sends the server the subscription of this browser, for the member who is signed in. */
export async function sendSubscription(
  memberId: number,
  subscription: PushSubscription,
): Promise<ReminderSettings> {
  const body = { ...deviceKeys(subscription), language: currentLanguage() }
  const settings = await call('POST /api/reminders/push', { body })
  storage.write('pushMember', memberId)
  storage.writeFor(memberId, 'pushKept', textOf(subscription))
  showReminders(settings)
  return settings
}

/**
 * Keeps the server's copy of this browser's subscription up to date: after a new sign-in, in another
 * language, or after the browser has replaced it. One of another member is ended.
 */
export async function keepPush(memberId: number): Promise<void> {
  const owner = storage.read('pushMember')
  if (owner === undefined) return
  if (owner !== memberId) return endPush()
  const subscription = await currentSubscription()
  if (!subscription || storage.readFor(memberId, 'pushKept') === textOf(subscription)) return
  await sendSubscription(memberId, subscription)
}
