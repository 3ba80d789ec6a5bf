import type { account as english } from '#client/language/en/account.ts'
import type { Translation } from '#client/language/translation.ts'
import { reminders } from './reminders.ts'

export const account: Translation<typeof english> = { reminders }
