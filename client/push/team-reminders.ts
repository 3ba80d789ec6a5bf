import { call } from '#client/data/api.ts'
import { REMINDERS_URL, receiveAnswer } from '#client/data/member-data.ts'
import { currentLanguage } from '#client/language/language.ts'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'
import type { ReminderSettings } from '#rules/members/account-snapshots'

type Report = { done: { title: string; description?: string }; failed: string }

async function change(send: () => Promise<ReminderSettings>, report: Report): Promise<boolean> {
  try {
    await receiveAnswer(REMINDERS_URL, send())
    toast(report.done)
    return true
  } catch (error) {
    showFailure(report.failed, error)
    return false
  }
}

/** Lets the inviter remind the member, or nobody. */
export function allowTeamReminders(on: boolean, report: Report): Promise<boolean> {
  const body = { on, language: currentLanguage() }
  return change(() => call('POST /api/reminders/team', { body }), report)
}

export function blockInviter(blocked: boolean, report: Report): Promise<boolean> {
  const body = { blocked, language: currentLanguage() }
  return change(() => call('POST /api/reminders/team/block', { body }), report)
}
