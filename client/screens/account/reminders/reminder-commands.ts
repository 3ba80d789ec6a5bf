import { call } from '#client/data/api.ts'
import { currentUser } from '#client/data/member-data.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { sendSubscription } from '#client/push/keep-push.ts'
import { endPush, PushError, subscribe } from '#client/push/push-device.ts'
import { showReminders } from '#client/push/reminder-settings.ts'
import { showFailure } from '#client/screens/account/profile-commands.ts'
import { toast } from '#client/ui/toasts/toast.tsx'
import type { ReminderSettings } from '#rules/members/account-snapshots'
import { readThisDevice } from './this-device.ts'

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
export function remindByMail(on: boolean): Promise<void> {
  const body = { on, language: currentLanguage() }
  return change(on ? 'mailOn' : 'mailOff', () => call('POST /api/reminders/mail', { body }))
}

/** Requests the permission and switches the notifications of this device on. */
export function remindHere(pushKey: string): Promise<void> {
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
export function stopHere(deviceId: number | undefined): Promise<void> {
  return change('pushOff', async () => {
    const settings =
      deviceId === undefined ? await call('GET /api/reminders') : await remove(deviceId)
    await endPush()
    return settings
  })
}

const remove = (deviceId: number) => call('POST /api/reminders/push/remove', { body: { deviceId } })

/** Stops the reminders on another device. */
export function removeDevice(deviceId: number): Promise<void> {
  return change('removed', () => remove(deviceId))
}
