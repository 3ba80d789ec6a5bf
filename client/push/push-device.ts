import { storage } from '#client/data/storage.ts'
import type { BodyOf } from '#contract/routes'
import { SECOND_MS } from '#rules/constants'

type DeviceKeys = Pick<BodyOf<'POST /api/reminders/push'>, 'endpoint' | 'p256dh' | 'auth'>

/** Why this browser shows no notifications. */
type PushProblem =
  /** It cannot, or only as an installed app. */
  | 'unsupported'
  /** The member has refused, now or earlier. */
  | 'blocked'
  /** The member has closed the question. */
  | 'not allowed'
  /** Its push service does not answer. */
  | 'no service'

export class PushError extends Error {
  constructor(readonly problem: PushProblem) {
    super(problem)
  }
}

const canPush = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** The registration of an active service worker, which a subscription needs; undefined without one. */
async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!canPush()) return undefined
  const found = await navigator.serviceWorker.getRegistration()
  return found?.active ? found : undefined
}

/** Real ms after which a browser without a service worker counts as one that cannot have it. */
const WORKER_TIMEOUT_MS = 10 * SECOND_MS

/** Calls back again if a worker comes later: on a first visit it is registered only after the page has loaded. */
export function followWorker(onKnown: () => void, signal: AbortSignal): void {
  const known = () => {
    if (!signal.aborted) onKnown()
  }
  if (!canPush()) {
    known()
    return
  }
  const timer = setTimeout(known, WORKER_TIMEOUT_MS)
  signal.addEventListener('abort', () => clearTimeout(timer))
  void navigator.serviceWorker.ready.then(() => {
    clearTimeout(timer)
    known()
  })
}

export async function currentSubscription(): Promise<PushSubscription | null> {
  return (await (await registration())?.pushManager.getSubscription()) ?? null
}

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

/** Call it in the handler of a press: browsers show the prompt only then. @throws {PushError} */
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
  storage.write('pushDevice', undefined)
  await (await currentSubscription())?.unsubscribe()
}
