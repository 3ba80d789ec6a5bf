import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Switch } from '#client/ui/forms/switch.tsx'
import { remindByMail } from './reminder-commands.ts'

/** Switches the reminders by mail. */
export function MailSwitch({ on, email }: { on: boolean; email: string }) {
  const { t } = useTranslation('account')
  const [isBusy, setBusy] = useState(false)
  const change = async (next: boolean) => {
    setBusy(true)
    await remindByMail(next)
    setBusy(false)
  }
  return (
    <Switch
      label={t('reminders.mail')}
      hint={t('reminders.mailHint', { email })}
      checked={on}
      busy={isBusy}
      onCheckedChange={(next) => void change(next)}
    />
  )
}
