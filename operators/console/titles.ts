import { ACTIONS } from './roles.ts'

/** What the console itself writes to the log. */
const EVENT_TITLES: Record<string, string> = {
  'console sign-in': 'Signed in',
  'console sign-in failed': 'Sign-in failed',
  'console sign-out': 'Signed out',
  'console invitation accepted': 'Invitation accepted',
  'console refused': 'Request refused',
  'kyc view': 'Look at an identity document',
}

/** Titles by the names that the log stores. */
export const LOG_TITLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(ACTIONS).map(([name, { title }]) => [name, title])),
  ...EVENT_TITLES,
}

/** The title of an action, or the stored name of one that this release does not know. */
export const titleOf = (action: string): string =>
  Object.hasOwn(LOG_TITLES, action) ? (LOG_TITLES[action] ?? action) : action
