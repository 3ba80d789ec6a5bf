import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { isKycOpenAtom } from '#client/data/app-info.ts'
import { dateText } from '#client/format/dates.ts'
import { allowTeamReminders, blockInviter } from '#client/push/team-reminders.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { Switch } from '#client/ui/forms/switch.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { TitledPanel } from '#client/ui/panel.tsx'
import type { PushDevice, ReminderSettings, User } from '#rules/members/account-snapshots'
import { PUSH_KINDS } from '#rules/members/reminders'
import { deviceText } from './device-text.ts'
import { Loaded } from './loaded.tsx'
import {
  chooseKind,
  chosenKinds,
  remindByMail,
  remindersAtom,
  remindHere,
  removeDevice,
  stopHere,
  thisDeviceAtom,
} from './reminder-commands.ts'

export function RemindersPanel({ user: { email } }: { user: User }) {
  const { t } = useTranslation(['account', 'common'])
  const query = useAtomValue(remindersAtom)
  const others = query.data?.devices.filter(({ current }) => !current) ?? []
  return (
    <TitledPanel titleId="reminders-title" title={t('reminders.title')} {...useKeptFocus()}>
      <p className="mt-1 text-sm text-muted">{t('reminders.text')}</p>
      <Loaded query={query} skeleton="mt-3 h-30" failure={t('reminders.notLoaded')}>
        {(settings) => (
          <>
            <div className="mt-3 flex flex-col gap-2">
              <PushSwitch settings={settings} />
              <Switch
                label={t('common:email')}
                hint={t('reminders.mailHint', { email })}
                checked={settings.mail}
                onCheckedChange={remindByMail}
              />
              <TeamReminders team={settings.team} />
            </div>
            {settings.pushKey !== null && (
              <KindSwitches settings={settings} pushKey={settings.pushKey} />
            )}
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
        )}
      </Loaded>
    </TitledPanel>
  )
}

function PushSwitch({ settings }: { settings: ReminderSettings }) {
  const { pushKey, devices } = settings
  const { t } = useTranslation('account')
  const device = useAtomValue(thisDeviceAtom)
  if (pushKey === null) {
    return <p className="py-3 text-sm text-muted">{t('reminders.problem.not set up')}</p>
  }
  const stored = devices.find(({ current }) => current)
  const isSubscribed = device?.key === pushKey
  return (
    <Switch
      label={t('reminders.push')}
      hint={
        device === undefined
          ? t('reminders.checking')
          : device.problem
            ? t(`reminders.problem.${device.problem}`)
            : t('reminders.pushHint')
      }
      checked={isSubscribed && stored !== undefined}
      disabled={device === undefined || device.problem !== undefined}
      onCheckedChange={(next) => (next ? remindHere(pushKey) : stopHere(stored?.id))}
    />
  )
}

/** The first kind that is switched on also switches this device on. */
function KindSwitches({ settings, pushKey }: { settings: ReminderSettings; pushKey: string }) {
  const { t } = useTranslation('account')
  const device = useAtomValue(thisDeviceAtom)
  const isKycOpen = useAtomValue(isKycOpenAtom)
  const chosen = chosenKinds(settings)
  const needsDevice = settings.devices.length === 0
  const canAdd = device !== undefined && device.problem === undefined
  return (
    <section aria-labelledby="kinds-title">
      <h3 id="kinds-title" className="mt-4 text-sm text-muted">
        {t('reminders.kindsTitle')}
      </h3>
      {!needsDevice && chosen.length === 0 && (
        <p className="mt-1 text-sm text-muted">{t('reminders.noKind')}</p>
      )}
      <div className="mt-2 flex flex-col gap-2">
        {PUSH_KINDS.filter((kind) => kind !== 'identity' || isKycOpen).map((kind) => (
          <Switch
            key={kind}
            label={t(`reminders.kinds.${kind}`)}
            hint={t(`reminders.kindHints.${kind}`)}
            checked={chosen.includes(kind)}
            disabled={needsDevice && !canAdd}
            onCheckedChange={(on) => chooseKind(kind, on, on && needsDevice ? pushKey : undefined)}
          />
        ))}
      </div>
    </section>
  )
}

/** Whether the inviter may remind the member to mine. */
function TeamReminders({ team: { on, inviter, blocked } }: Pick<ReminderSettings, 'team'>) {
  const { t } = useTranslation('account')
  return (
    <>
      <Switch
        label={t('reminders.team.label')}
        hint={
          inviter === null
            ? t('reminders.team.hintWithout')
            : t('reminders.team.hint', { name: inviter })
        }
        checked={on}
        onCheckedChange={allowTeamReminders}
      />
      {inviter !== null && (on || blocked) && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          {blocked && (
            <p className="min-w-0 grow basis-40 text-sm text-amber wrap-anywhere">
              {t('reminders.team.isBlocked', { name: inviter })}
            </p>
          )}
          <Button variant="secondary" onPress={() => blockInviter(inviter, !blocked)}>
            <span className="wrap-anywhere">
              {t(blocked ? 'reminders.team.unblock' : 'reminders.team.block', { name: inviter })}
            </span>
          </Button>
        </div>
      )}
    </>
  )
}

function DeviceRow({ device: { id, device: stored, addedAt } }: { device: PushDevice }) {
  const { t } = useTranslation('account')
  const device = deviceText(stored)
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3">
      <div className="min-w-0 grow basis-44 text-sm">
        <p className="font-medium">{device}</p>
        <p className="mt-0.5 text-muted">{t('reminders.added', { date: dateText(addedAt) })}</p>
      </div>
      <Button
        variant="secondary"
        aria-label={t('reminders.removeDevice', { device })}
        onPress={() => removeDevice(id)}
      >
        {t('reminders.remove')}
      </Button>
    </li>
  )
}
