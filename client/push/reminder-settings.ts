import { currentUser, memberKey, queryClient } from '#client/data/member-data.ts'
import type { ReminderSettings } from '#rules/members/account-snapshots'

export const REMINDERS_URL = '/api/reminders'

/** Shows what the server has answered to a change. */
export function showReminders(settings: ReminderSettings): void {
  queryClient.setQueryData(memberKey(REMINDERS_URL, currentUser()?.id), settings)
}
