import { call, isSignedOut, messageOf } from '#client/data/api.ts'
import { recheckUser } from '#client/data/refresh.ts'
import { currentLanguage, i18n } from '#client/language/language.ts'
import { toast } from '#client/ui/toasts/toast.ts'
import type { ReminderSettings } from '#rules/members/account-snapshots'
import { showReminders } from './push.ts'

type Report = { done: { title: string; description?: string }; failed: string }

/** Sends a change, shows what the server answers, and reports it in a toast; resolves to whether it is done. */
async function change(send: () => Promise<ReminderSettings>, report: Report): Promise<boolean> {
  try {
    showReminders(await send())
    toast(report.done)
    return true
  } catch (error) {
    const description = messageOf(error, i18n.t('noAnswer'))
    toast({ title: report.failed, description, variant: 'destructive' })
    if (isSignedOut(error)) recheckUser()
    return false
  }
}

/** Lets the inviter remind the member, or nobody. */
export function allowTeamReminders(on: boolean, report: Report): Promise<boolean> {
  const body = { on, language: currentLanguage() }
  return change(() => call('POST /api/reminders/team', { body }), report)
}

/** No more from the inviter, or again. */
export function blockInviter(blocked: boolean, report: Report): Promise<boolean> {
  const body = { blocked, language: currentLanguage() }
  return change(() => call('POST /api/reminders/team/block', { body }), report)
}
