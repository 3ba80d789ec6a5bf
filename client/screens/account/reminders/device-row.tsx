import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateText } from '#client/format/dates.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import type { PushDevice } from '#rules/members/account-snapshots'
import { removeDevice } from './reminder-commands.ts'

/** Another device that reminds the member, and a button that removes it. */
export function DeviceRow({ device: { id, device, addedAt } }: { device: PushDevice }) {
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
