import { atom } from 'jotai'
import { currentUser, store } from '#client/data/member-data.ts'
import { storage } from '#client/data/storage.ts'
import { currentSubscription, keyOf, pushProblem } from '#client/push/push-device.ts'

/** What this browser can do. */
export type ThisDevice =
  | { problem: 'unsupported' | 'blocked' }
  /** `key` is that of the member's subscription here, if there is one. */
  | { problem: undefined; key: string | undefined }

/** The state of this browser; undefined until it is read. */
export const thisDeviceAtom = atom<ThisDevice | undefined>(undefined)

/** Reads the state of this browser again. */
export async function readThisDevice(): Promise<void> {
  const problem = await pushProblem()
  if (problem) return store.set(thisDeviceAtom, { problem })
  const isOwn = storage.read('pushMember') === currentUser()?.id
  const subscription = isOwn ? await currentSubscription() : null
  store.set(thisDeviceAtom, { problem, key: subscription ? keyOf(subscription) : undefined })
}

/** Reads the state of this browser, and follows its settings until the returned function. */
export function followThisDevice(): () => void {
  const read = () => void readThisDevice()
  read()
  const stop = new AbortController()
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', read, { signal: stop.signal }))
    // Some browsers do not support this name; the next visit of the screen reads it again.
    .catch(() => {})
  return () => stop.abort()
}
