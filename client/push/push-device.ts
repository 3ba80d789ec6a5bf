import { storage } from '#client/data/storage.ts'
import type { BodyOf } from '#contract/routes'

/** A push subscription as the server takes it. */
export type DeviceKeys = Pick<BodyOf<'POST /api/reminders/push'>, 'endpoint' | 'p256dh' | 'auth'>

/** Why this browser shows no notifications. */
export type PushProblem =
  /** It cannot, or only as an installed app. */
  | 'unsupported'
  /** The member has refused, now or earlier. */
  | 'blocked'
  /** The member has closed the question. */
  | 'not allowed'
  /** Its push service does not answer. */
  | 'no service'

/** A subscription that was not made. */
export class PushError extends Error {
  constructor(readonly problem: PushProblem) {
    super(problem)
  }
}

const canPush = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** The registration of the service worker; undefined if this browser or build has none. */
async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!canPush() || !(await navigator.serviceWorker.getRegistration())) return undefined
  // A subscription needs an active worker.
  return navigator.serviceWorker.ready
}

/** The subscription that this browser has. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  return (await (await registration())?.pushManager.getSubscription()) ?? null
}

/** Why this browser cannot be asked; undefined if it can. */
export async function pushProblem(): Promise<'unsupported' | 'blocked' | undefined> {
  if (!(await registration())) return 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : undefined
}

/** The public key that a subscription is bound to, in base64url. */
export function keyOf({ options }: PushSubscription): string | undefined {
  const bytes = options.applicationServerKey
  if (!bytes) return undefined
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function deviceKeys(subscription: PushSubscription): DeviceKeys {
  const { endpoint = '', keys } = subscription.toJSON()
  return { endpoint, p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' }
}

/**
 * Requests the permission and subscribes this browser. Call it in the handler of a press: browsers
 * show the prompt only then.
 * @throws {PushError}
 */
export async function subscribe(pushKey: string): Promise<PushSubscription> {
  if (!canPush()) throw new PushError('unsupported')
  const permission = await Notification.requestPermission()
  const found = await registration()
  if (!found) throw new PushError('unsupported')
  if (permission === 'denied') throw new PushError('blocked')
  if (permission !== 'granted') throw new PushError('not allowed')
  const { pushManager } = found
  const earlier = await pushManager.getSubscription()
  // Browsers refuse a second key.
  if (earlier && keyOf(earlier) !== pushKey) await earlier.unsubscribe()
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
  } catch {
    throw new PushError('no service')
  }
}

/** Ends the subscription of this browser, which needs no answer from the server. */
export async function endPush(): Promise<void> {
  if (storage.read('pushMember') === undefined) return
  storage.write('pushMember', undefined)
  await (await currentSubscription())?.unsubscribe()
}
