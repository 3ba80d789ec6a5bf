// Imports only types of the app: see shell.ts.

import type { PushPayload } from '#rules/members/reminders'
import { isAppPath } from './shell.ts'
import type { OpenWindow, SubscriptionChange, Windows } from './worker-scope.ts'

const HOME = '/'
const ICON = '/icon-192.png'

type ReminderOptions = NotificationOptions & { renotify: boolean }

/** The open windows of the app, without pages that the gateway renders. */
async function appWindows(windows: Windows): Promise<OpenWindow[]> {
  const open = await windows.matchAll({ type: 'window', includeUncontrolled: true })
  return open.filter(({ url }) => isAppPath(new URL(url).pathname))
}

const isVisible = ({ visibilityState }: OpenWindow) => visibilityState === 'visible'

/** Marks the app's icon unless a window is visible. The tag makes a message that arrives twice replace the first. */
export async function showReminder(
  registration: Pick<ServiceWorkerRegistration, 'showNotification'>,
  windows: Windows,
  payload: unknown,
): Promise<void> {
  const { title, body, tag, path, lang } = payload as PushPayload
  const options: ReminderOptions = {
    body,
    tag,
    lang,
    renotify: false,
    icon: ICON,
    badge: ICON,
    data: { path },
  }
  await registration.showNotification(title, options)
  if ((await appWindows(windows)).some(isVisible)) return
  // The page removes the mark (client/live/app-badge.ts).
  // Not awaited: where there is no dock or launcher, the promise may never settle.
  void navigator.setAppBadge?.().catch(() => {})
}

export function pathOf({ data }: Pick<Notification, 'data'>): string {
  const path: unknown = data?.path
  return typeof path === 'string' && path.startsWith('/') ? path : HOME
}

/** Shows a path in an open window of the app, the visible one first, or in a new one. */
export async function openPath(windows: Windows, path: string): Promise<void> {
  const ours = await appWindows(windows)
  const shown = ours.find(isVisible) ?? ours[0]
  if (!shown) return void (await windows.openWindow(path))
  // The page navigates itself, so that nothing it holds is lost by a reload.
  shown.postMessage({ open: path })
  await shown.focus()
}

/** Sends the server the subscription by which the browser has replaced its own. */
export async function renewSubscription(
  { pushManager }: Pick<ServiceWorkerRegistration, 'pushManager'>,
  { oldSubscription, newSubscription }: SubscriptionChange,
): Promise<void> {
  const renewed =
    newSubscription ??
    (oldSubscription
      ? await pushManager.subscribe(oldSubscription.options as PushSubscriptionOptionsInit)
      : await pushManager.getSubscription())
  if (!renewed) return
  const { endpoint, keys } = renewed.toJSON()
  // Without a sign-in it is refused; the page sends it after the next one.
  await fetch('/api/reminders/push', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, p256dh: keys?.p256dh, auth: keys?.auth }),
  })
}
