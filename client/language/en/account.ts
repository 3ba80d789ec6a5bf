import { reminders } from './reminders.ts'

export const account = { reminders } as const
