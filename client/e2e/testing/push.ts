import type { CDPSession, Page, Worker } from 'playwright-core'
import type { PushDevice } from '#scripts/testing/workers/push-device'

/**
 * Gives a page the permission and the subscription of a device of the test: headless Chromium denies
 * the permission and reaches no push service. Kept in the tab over reloads, as a browser keeps it.
 */
export async function useSubscription(page: Page, { subscription }: PushDevice): Promise<void> {
  const { endpoint, p256dh, auth } = subscription
  const keys = { p256dh, auth }
  await page.addInitScript(`(() => {
    const KEY = 'test-subscription'
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    const made = (key) => ({
      endpoint: ${JSON.stringify(endpoint)},
      options: { applicationServerKey: Uint8Array.from(
        atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer },
      toJSON: () => (${JSON.stringify({ endpoint, keys })}),
      unsubscribe: async () => { sessionStorage.removeItem(KEY); return true },
    })
    PushManager.prototype.getSubscription = async () => {
      const key = sessionStorage.getItem(KEY)
      return key && made(key)
    }
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      sessionStorage.setItem(KEY, applicationServerKey)
      return made(applicationServerKey)
    }
  })()`)
}

type Registration = { registrationId: string; scopeURL: string; isDeleted: boolean }

/** Delivers push messages to the service worker of a page, as the browser's push service would. */
export async function pushTo(page: Page): Promise<(payload: object) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  const found = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = (registrations as Registration[]).find(
        ({ scopeURL, isDeleted }) => !isDeleted && scopeURL.startsWith(origin),
      )
      if (own) resolve(own.registrationId)
    }),
  )
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  return async (payload) => {
    const data = JSON.stringify(payload)
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
}

type Shown = { title: string; tag: string; renotify: boolean }

const worker = (page: Page): Worker => {
  const [running] = page.context().serviceWorkers()
  if (!running) throw new Error('no service worker runs')
  return running
}

/**
 * Records what the service worker shows: headless Chromium refuses every notification. As on a screen,
 * a notification replaces an earlier one with its tag.
 */
export async function recordNotifications(page: Page): Promise<void> {
  await worker(page).evaluate(`
    self.shown = new Map()
    // Headless Chromium has no launcher, and its worker stops at the call.
    Object.defineProperty(self.navigator, 'setAppBadge', { value: async () => {} })
    self.registration.showNotification = async (title, { tag, renotify }) => {
      self.shown.set(tag, { title, tag, renotify })
    }`)
}

export function shownNotifications(page: Page): Promise<Shown[]> {
  return worker(page).evaluate('[...self.shown.values()]')
}

/** Presses a notification that opens this path. Only a real press may focus the tab; it is shown here. */
export async function pressNotification(page: Page, path: string): Promise<void> {
  await worker(page).evaluate(`self.dispatchEvent(Object.assign(
    new ExtendableEvent('notificationclick'),
    {
      notification: { data: { path: ${JSON.stringify(path)} }, close() {} },
      waitUntil: (work) => work.catch(() => {}),
    }))`)
}
