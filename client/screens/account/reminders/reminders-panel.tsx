import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { LoadFailed } from '#client/screens/account/load-failed.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { LoadingNote } from '#client/ui/states/loading-note.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { User } from '#rules/members/account-snapshots'
import { DeviceRow } from './device-row.tsx'
import { MailSwitch } from './mail-switch.tsx'
import { PushSwitch } from './push-switch.tsx'
import { refreshReminders, remindersAtom } from './reminders.ts'

/** Lets a member be reminded when the 24 hours of a session are over. */
export function RemindersPanel({ user }: { user: User }) {
  const { t } = useTranslation('account')
  return (
    <TitledPanel titleId="reminders-title" title={t('reminders.title')}>
      <p className="mt-1 text-sm text-muted">{t('reminders.text')}</p>
      <Reminders email={user.email} />
    </TitledPanel>
  )
}

/** The switches, or what stands for them while they load or after that failed. */
function Reminders({ email }: { email: string }) {
  const { t } = useTranslation('account')
  const { data, isError, isFetching } = useAtomValue(remindersAtom)
  if (data) {
    const others = data.devices.filter(({ current }) => !current)
    return (
      <>
        <div className="mt-3 flex flex-col gap-2">
          <PushSwitch settings={data} />
          <MailSwitch on={data.mail} email={email} />
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
  if (!isError) {
    return (
      <>
        <LoadingNote />
        <Skeleton className="mt-3 h-30" />
      </>
    )
  }
  return (
    <LoadFailed
      text={t('reminders.notLoaded')}
      busy={isFetching}
      onRetry={() => void refreshReminders()}
    />
  )
}
