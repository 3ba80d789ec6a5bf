import { useTranslation } from 'react-i18next'
import { allowTeamReminders, blockInviter } from '#client/push/team-reminders.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { Switch } from '#client/ui/forms/switch.tsx'
import type { ReminderSettings } from '#rules/members/account-snapshots'

/** Whether the inviter may remind the member to mine. */
export function TeamReminders({ team }: Pick<ReminderSettings, 'team'>) {
  const { t } = useTranslation('account')
  const { on, inviter, blocked } = team
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
