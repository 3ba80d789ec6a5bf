import type { ActionName } from './roles.ts'

/** What a line of the log, a form and a list of rights call an action; the type demands a title for each. */
const ACTION_TITLES: Record<ActionName, string> = {
  'members freeze': 'Freeze a member',
  'members unfreeze': 'Release a member',
  'members reset-factor': 'Switch one-time codes off',
  'members change-email': 'Mail codes for a new address',
  'members confirm-email': 'Change the address with both codes',
  'members set-email': 'Change the address of a lost mailbox',
  'notes add': 'Add a note',
  'notes delete': 'Delete a note',
  'sign-ins end': 'End all sign-ins of a member',
  'sessions end': 'Stop a mining session',
  'ledger correct': 'Correct a balance',
  'ledger approve': 'Approve a correction',
  'ledger refuse': 'Refuse a correction',
  'codes freeze': 'Freeze a referral code',
  'codes unfreeze': 'Release a referral code',
  'teams dismiss': 'Call a team honest',
  'quarantine release': 'Release a session from quarantine',
  'kyc accept': 'Accept an identity document',
  'kyc reject': 'Reject an identity document',
  'kyc show': 'Write an identity document to a file',
  'operators invite': 'Invite an operator',
  'operators reset': 'Invite an operator again',
  'operators role': 'Give an operator another role',
  'operators sign-out': 'Sign an operator out',
  'operators remove': 'Remove an operator',
  'mail allow': 'Try a refused address again',
  'mail retry': 'Send failed mails again',
  'mail test': 'Send a test mail',
  'tasks add': 'Add a task as a draft',
  'tasks edit': 'Change a task',
  'tasks publish': 'Publish a task',
  'tasks end': 'End a task',
  'announcements add': 'Tell all members something',
  'announcements edit': 'Change an announcement',
  'announcements end': 'End an announcement',
  'flags on': 'Turn a feature on',
  'flags off': 'Turn a feature off',
  'flags for': 'Turn a feature on for some members',
  'versions set': 'Record a release',
  'versions lift': 'Accept every client again',
  'keys renew': 'Encrypt rows again under the first key',
  'redis clear': 'Clear Redis',
}

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
export const LOG_TITLES: Readonly<Record<string, string>> = { ...ACTION_TITLES, ...EVENT_TITLES }

/** The title of an action, or the stored name of one that this release does not know. */
export const titleOf = (action: string): string =>
  Object.hasOwn(LOG_TITLES, action) ? (LOG_TITLES[action] ?? action) : action
