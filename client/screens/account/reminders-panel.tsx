import { atom, useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#client/data/api.ts'
import { currentUser, memberQuery, refresh, store } from '#client/data/member-data.ts'
import { storage } from '#client/data/storage.ts'
import { dateText } from '#client/format/dates.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { REMINDERS_URL, sendSubscription, showReminders } from '#client/push/push.ts'
import {
  currentSubscription,
  endPush,
  followWorker,
  keyOf,
  PushError,
  pushProblem,
  subscribe,
} from '#client/push/push-device.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { Switch } from '#client/ui/forms/switch.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { toast } from '#client/ui/toasts/toast.tsx'
import type { PushDevice, ReminderSettings, User } from '#rules/members/account-snapshots'
import { Loaded } from './loaded.tsx'
import { showFailure } from './profile-commands.ts'

/** Lets a member be reminded when the 24 hours of a session are over. */
export function RemindersPanel({ user }: { user: User }) {
  const { t } = useTranslation('account')
  return (
    <TitledPanel titleId="reminders-title" title={t('reminders.title')}>
      <p className="mt-1 text-sm text-muted">{t('reminders.text')}</p>
      <Loaded
        query={useAtomValue(remindersAtom)}
        skeleton="mt-3 h-30"
        failure={t('reminders.notLoaded')}
        onRetry={() => refresh(REMINDERS_URL)}
      >
        {(settings) => <Reminders settings={settings} email={user.email} />}
      </Loaded>
    </TitledPanel>
  )
}

function Reminders({ settings, email }: { settings: ReminderSettings; email: string }) {
  const { t } = useTranslation('account')
  const others = settings.devices.filter(({ current }) => !current)
  return (
    <>
      <div className="mt-3 flex flex-col gap-2">
        <PushSwitch settings={settings} />
        <Switch
          label={t('reminders.mail')}
          hint={t('reminders.mailHint', { email })}
          checked={settings.mail}
          onCheckedChange={remindByMail}
        />
      </div>
      {others.length > 0 && (
        <>
          <h3 className="mt-4 text-sm text-muted">{t('reminders.otherDevices')}</h3>
          <ul className="mt-2">
            {others.map((device) => (
              <DeviceRow key={device.id} device={device} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** Switches the notifications of this browser; a text stands for it where the server has no keys. */
function PushSwitch({ settings }: { settings: ReminderSettings }) {
  const { pushKey, devices } = settings
  const { t } = useTranslation('account')
  const device = useAtomValue(thisDeviceAtom)
  useEffect(followThisDevice, [])
  if (pushKey === null) {
    return <p className="py-3 text-sm text-muted">{t('reminders.problem.not set up')}</p>
  }
  const stored = devices.find(({ current }) => current)
  const isSubscribed = device?.problem === undefined && device?.key === pushKey
  return (
    <Switch
      label={t('reminders.push')}
      hint={device?.problem ? t(`reminders.problem.${device.problem}`) : t('reminders.pushHint')}
      checked={isSubscribed && stored !== undefined}
      disabled={device === undefined || device.problem !== undefined}
      onCheckedChange={(next) => (next ? remindHere(pushKey) : stopHere(stored?.id))}
    />
  )
}

/** Another device that reminds the member, and a button that removes it. */
function DeviceRow({ device: { id, device, addedAt } }: { device: PushDevice }) {
  const { t } = useTranslation('account')
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    await removeDevice(id)
    setBusy(false)
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3">
      <div className="min-w-0 grow basis-44 text-sm">
        <p className="font-medium">{device}</p>
        <p className="mt-0.5 text-muted">{t('reminders.added', { date: dateText(addedAt) })}</p>
      </div>
      <Button
        variant="secondary"
        busy={isBusy}
        aria-label={t('reminders.removeDevice', { device })}
        onClick={() => void remove()}
      >
        {t('reminders.remove')}
      </Button>
    </li>
  )
}

type Done = 'pushOn' | 'pushOff' | 'mailOn' | 'mailOff' | 'removed'

function reportFailure(error: unknown): void {
  const title = i18n.t('account:reminders.notChanged')
  if (error instanceof PushError) {
    const description = i18n.t(`account:reminders.problem.${error.problem}`)
    toast({ title, description, variant: 'destructive' })
  } else {
    showFailure(title, error)
  }
}

/** Runs a change, shows what the server answers, and reports it in a toast. */
async function change(done: Done, send: () => Promise<ReminderSettings>): Promise<void> {
  try {
    showReminders(await send())
    toast({ title: i18n.t(`account:reminders.${done}`) })
  } catch (error) {
    reportFailure(error)
  }
  await readThisDevice()
}

/** Switches reminders by mail on or off. */
function remindByMail(on: boolean): Promise<void> {
  const body = { on, language: currentLanguage() }
  return change(on ? 'mailOn' : 'mailOff', () => call('POST /api/reminders/mail', { body }))
}

/** Requests the permission and switches the notifications of this device on. */
function remindHere(pushKey: string): Promise<void> {
  return change('pushOn', async () => {
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
  })
}

/** Stops the reminders on this device. */
function stopHere(deviceId: number | undefined): Promise<void> {
  return change('pushOff', async () => {
    const settings =
      deviceId === undefined ? await call('GET /api/reminders') : await remove(deviceId)
    await endPush()
    return settings
  })
}

const remove = (deviceId: number) => call('POST /api/reminders/push/remove', { body: { deviceId } })

/** Stops the reminders on another device. */
function removeDevice(deviceId: number): Promise<void> {
  return change('removed', () => remove(deviceId))
}

/** What this browser can do. */
type ThisDevice =
  | { problem: 'unsupported' | 'blocked' }
  /** `key` is that of the member's subscription here, if there is one. */
  | { problem: undefined; key: string | undefined }

/** The state of this browser; undefined until it is read. */
export const thisDeviceAtom = atom<ThisDevice | undefined>(undefined)

/** Reads the state of this browser again. */
async function readThisDevice(): Promise<void> {
  const problem = await pushProblem()
  if (problem) return store.set(thisDeviceAtom, { problem })
  const isOwn = storage.read('pushMember') === currentUser()?.id
  const subscription = isOwn ? await currentSubscription() : null
  store.set(thisDeviceAtom, { problem, key: subscription ? keyOf(subscription) : undefined })
}

/** Reads the state of this browser, and follows its settings until the returned function. */
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

/** How the member is reminded, read each time the screen opens. */
const remindersAtom = memberQuery<ReminderSettings>(
  REMINDERS_URL,
  () => call('GET /api/reminders'),
  { staleTime: 0 },
)
