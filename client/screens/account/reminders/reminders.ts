import { call } from '#client/data/api.ts'
import { memberQuery, refresh } from '#client/data/member-data.ts'
import { REMINDERS_URL } from '#client/push/reminder-settings.ts'
import type { ReminderSettings } from '#rules/members/account-snapshots'

/** How the member is reminded, read each time the screen opens. */
export const remindersAtom = memberQuery<ReminderSettings>(
  REMINDERS_URL,
  () => call('GET /api/reminders'),
  { staleTime: 0 },
)

/** Reads it again. */
export const refreshReminders = () => refresh(REMINDERS_URL)
