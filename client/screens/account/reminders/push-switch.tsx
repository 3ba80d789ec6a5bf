import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Switch } from '#client/ui/forms/switch.tsx'
import type { ReminderSettings } from '#rules/members/account-snapshots'
import { remindHere, stopHere } from './reminder-commands.ts'
import { followThisDevice, thisDeviceAtom } from './this-device.ts'

/** Switches the notifications of this browser; a text stands for it where the server has no keys. */
export function PushSwitch({ settings }: { settings: ReminderSettings }) {
  const { pushKey, devices } = settings
  const { t } = useTranslation('account')
  const device = useAtomValue(thisDeviceAtom)
  const [isBusy, setBusy] = useState(false)
  useEffect(followThisDevice, [])
  if (pushKey === null) {
    return <p className="py-3 text-sm text-muted">{t('reminders.problem.not set up')}</p>
  }
  const stored = devices.find(({ current }) => current)
  const isSubscribed = device?.problem === undefined && device?.key === pushKey
  const change = async (next: boolean) => {
    setBusy(true)
    await (next ? remindHere(pushKey) : stopHere(stored?.id))
    setBusy(false)
  }
  return (
    <Switch
      label={t('reminders.push')}
      hint={device?.problem ? t(`reminders.problem.${device.problem}`) : t('reminders.pushHint')}
      checked={isSubscribed && stored !== undefined}
      busy={isBusy}
      disabled={device === undefined || device.problem !== undefined}
      onCheckedChange={(next) => void change(next)}
    />
  )
}
