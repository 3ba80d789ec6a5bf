import { atom } from 'jotai'
import { call } from '#client/data/api.ts'
import { currentUser, OPENED, receiveAnswer, routeQuery } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { storage } from '#client/data/storage.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { sendSubscription } from '#client/push/push.ts'
import {
  currentSubscription,
  endPush,
  followWorker,
  keyOf,
  PushError,
  pushProblem,
  subscribe,
} from '#client/push/push-device.ts'
import { showError, showFailure, toast } from '#client/ui/toasts/toast.ts'
import type { ReminderSettings } from '#rules/members/account-snapshots'
import { FIRST_PUSH_KINDS, type PushKind } from '#rules/members/reminders'

type Done = 'pushOn' | 'pushOff' | 'kindOn' | 'kindOff' | 'mailOn' | 'mailOff' | 'removed'

type Failed = 'notChanged' | 'onlyDevice'

/** `failed` is called after a failure, because the change may have happened in part. */
async function change(
  done: Done,
  send: () => Promise<ReminderSettings>,
  failed: () => Failed = () => 'notChanged',
): Promise<boolean> {
  try {
    await receiveAnswer('/api/reminders', send())
    toast({ title: i18n.t(`account:reminders.${done}`) })
    return true
  } catch (error) {
    const title = i18n.t(`account:reminders.${failed()}`)
    if (error instanceof PushError) {
      showError(title, i18n.t(`account:reminders.problem.${error.problem}`))
    } else showFailure(title, error)
    return false
  } finally {
    await readThisDevice()
  }
}

export function remindByMail(on: boolean): Promise<boolean> {
  const body = { on, language: currentLanguage() }
  return change(on ? 'mailOn' : 'mailOff', () => call('POST /api/reminders/mail', { body }))
}

/** Requests the permission for notifications first. */
async function subscribeHere(pushKey: string): Promise<ReminderSettings> {
  const subscription = await subscribe(pushKey)
  const memberId = currentUser()?.id
  try {
    if (memberId === undefined) throw new PushError('not allowed')
    return await sendSubscription(memberId, subscription)
  } catch (error) {
    // It may not be stored: the browser must not hold a subscription that the screen shows as off.
    await subscription.unsubscribe()
    throw error
  }
}

export const remindHere = (pushKey: string) => change('pushOn', () => subscribeHere(pushKey))

/** Devices of a member who has never chosen show `FIRST_PUSH_KINDS`. */
export const chosenKinds = ({ kinds, devices }: ReminderSettings): PushKind[] =>
  kinds ?? (devices.length > 0 ? FIRST_PUSH_KINDS : [])

/** Changes all devices of the member; `pushKey` is given if this device has to be switched on first. */
export function chooseKind(kind: PushKind, on: boolean, pushKey?: string): Promise<boolean> {
  let added: ReminderSettings | undefined
  const choose = async () => {
    if (pushKey) added = await subscribeHere(pushKey)
    try {
      const body = { kind, on, language: currentLanguage() }
      return await call('POST /api/reminders/kinds', { body })
    } catch (error) {
      // A new device may show this kind already, as it does the end of sessions.
      if (added && chosenKinds(added).includes(kind)) return added
      throw error
    }
  }
  return change(on ? 'kindOn' : 'kindOff', choose, () => (added ? 'onlyDevice' : 'notChanged'))
}

export function stopHere(deviceId: number | undefined): Promise<boolean> {
  return change('pushOff', async () => {
    const settings =
      deviceId === undefined ? await call('GET /api/reminders') : await remove(deviceId)
    await endPush()
    return settings
  })
}

const remove = (deviceId: number) => call('POST /api/reminders/push/remove', { body: { deviceId } })

export function removeDevice(deviceId: number): Promise<boolean> {
  return change('removed', () => remove(deviceId))
}

type ThisDevice = {
  problem: 'unsupported' | 'blocked' | undefined
  /** The key of the member's subscription here, if there is one. */
  key?: string | undefined
}

/** The state of this browser, read again when it changes while a screen shows it. */
export const thisDeviceAtom = atom<ThisDevice | undefined>(undefined)
thisDeviceAtom.onMount = followThisDevice

async function readThisDevice(): Promise<void> {
  const problem = await pushProblem()
  if (problem) return store.set(thisDeviceAtom, { problem })
  const isOwn = storage.read('pushMember') === currentUser()?.id
  const subscription = isOwn ? await currentSubscription() : null
  store.set(thisDeviceAtom, { problem, key: subscription ? keyOf(subscription) : undefined })
}

function followThisDevice(): () => void {
  const read = () => void readThisDevice()
  const stop = new AbortController()
  followWorker(read, stop.signal)
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', read, { signal: stop.signal }))
    // Some browsers do not support this name; the next visit of the screen reads it again.
    .catch(() => {})
  return () => stop.abort()
}

export const remindersAtom = routeQuery('/api/reminders', OPENED)
