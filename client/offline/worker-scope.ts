import type { PageMessage } from '#rules/members/reminders'

/** The parts of a service worker's scope that we use; the DOM type library does not include them. */

type LifeEvent = Event & { waitUntil(work: Promise<unknown>): void }
type FetchEvent = LifeEvent & {
  request: Request
  respondWith(answer: Promise<Response>): void
}

/** A push message; it has no data if it was sent without a payload. */
type PushEvent = LifeEvent & { data: { json(): unknown } | null }
type NotificationEvent = LifeEvent & { notification: Notification }
/** Browsers set both, one or none of them. */
export type SubscriptionChange = {
  oldSubscription?: PushSubscription | null
  newSubscription?: PushSubscription | null
}
export type OpenWindow = {
  url: string
  visibilityState: DocumentVisibilityState
  focus(): Promise<unknown>
  postMessage(message: PageMessage): void
}
export type Windows = {
  matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly OpenWindow[]>
  openWindow(path: string): Promise<unknown>
}

export type WorkerScope = {
  registration: ServiceWorkerRegistration
  clients: Windows
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void
  addEventListener(
    type: 'pushsubscriptionchange',
    listener: (event: LifeEvent & SubscriptionChange) => void,
  ): void
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent<WorkerMessage>) => void): void
  skipWaiting(): Promise<void>
}

/** A page's message to a worker; the first is answered through the port with true or false. */
export type WorkerMessage = { ask: 'is this your entry?'; entry: string } | { ask: 'take over' }
