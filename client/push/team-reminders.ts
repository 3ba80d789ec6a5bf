import { call } from '#client/data/api.ts'
import { receiveAnswer } from '#client/data/member-data.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'
import type { ReminderSettings } from '#rules/members/account-snapshots'

/** Needs the texts of `account`. */
async function change(sent: Promise<ReminderSettings>, title: string, description?: string) {
  try {
    await receiveAnswer('/api/reminders', sent)
    toast({ title, description })
    return true
  } catch (error) {
    showFailure(i18n.t('account:reminders.notChanged'), error)
    return false
  }
}

/** Lets the inviter remind the member, or nobody. */
export function allowTeamReminders(on: boolean): Promise<boolean> {
  const body = { on, language: currentLanguage() }
  const title = i18n.t(on ? 'account:reminders.team.on' : 'account:reminders.team.off')
  return change(call('POST /api/reminders/team', { body }), title)
}

export function blockInviter(name: string, blocked: boolean, note?: string): Promise<boolean> {
  const body = { blocked, language: currentLanguage() }
  const key = blocked ? 'account:reminders.team.blocked' : 'account:reminders.team.unblocked'
  return change(call('POST /api/reminders/team/block', { body }), i18n.t(key, { name }), note)
}
