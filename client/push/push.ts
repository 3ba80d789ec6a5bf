import { navigate } from 'wouter/use-browser-location'
import { call } from '#client/data/api.ts'
import { currentUser, memberIdAtom, receiveAnswer } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { storage } from '#client/data/storage.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import type { ReminderSettings } from '#rules/members/account-snapshots'
import type { PageMessage } from '#rules/members/reminders'
import { currentSubscription, deviceKeys, endPush } from './push-device.ts'

function keep(): void {
  const memberId = currentUser()?.id
  // The next start or sign-in repeats it.
  if (memberId !== undefined) keepPush(memberId).catch(() => {})
}

function openFromNotification({ data }: MessageEvent<Partial<PageMessage> | null>): void {
  if (typeof data?.open !== 'string') return
  // What holds back a reload, such as recovery codes that are not saved, holds back this too.
  const mayLeave = window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  if (mayLeave) navigate(data.open)
}

/** Follows sign-in and language for the subscription, and opens what a pressed notification names. */
export function startPush(): void {
  store.sub(memberIdAtom, keep)
  i18n.on('languageChanged', keep)
  keep()
  if ('serviceWorker' in navigator) {
    navigator.serviceWorker.addEventListener('message', openFromNotification)
  }
}

const textOf = ({ endpoint }: PushSubscription) => `${currentLanguage()} ${endpoint}`

const deviceText = (id: number, { endpoint }: PushSubscription) => `${id} ${endpoint}`

export async function sendSubscription(
  memberId: number,
  subscription: PushSubscription,
): Promise<ReminderSettings> {
  const body = { ...deviceKeys(subscription), language: currentLanguage() }
  const settings = await receiveAnswer('/api/reminders', call('POST /api/reminders/push', { body }))
  storage.write('pushMember', memberId)
  storage.writeFor(memberId, 'pushKept', textOf(subscription))
  const own = settings.devices.find(({ current }) => current)
  storage.write('pushDevice', own && deviceText(own.id, subscription))
  return settings
}

/** Whether the server had this subscription and lost it, as when another device has removed it. */
async function wasRemoved(subscription: PushSubscription): Promise<boolean> {
  const device = storage.read('pushDevice')
  // The browser may have replaced the one that the server had.
  if (typeof device !== 'string' || !device.endsWith(` ${subscription.endpoint}`)) return false
  const { devices } = await call('GET /api/reminders')
  return !devices.some(({ id }) => deviceText(id, subscription) === device)
}

/** Updates the server's copy. A subscription of another member, or one that was removed, is ended. */
export async function keepPush(memberId: number): Promise<void> {
  const owner = storage.read('pushMember')
  if (owner === undefined) return
  if (owner !== memberId) return endPush()
  const subscription = await currentSubscription()
  if (!subscription || storage.readFor(memberId, 'pushKept') === textOf(subscription)) return
  if (await wasRemoved(subscription)) return endPush()
  await sendSubscription(memberId, subscription)
}
