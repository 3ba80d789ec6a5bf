import { ROLES, type Role } from '#operators/actions/operators'
import { EVERYBODY } from '#operators/ops/members'
import type { OPS, OpsName } from '#operators/ops/program'

/** Every command of `npm run ops` that acts. */
export type ActionName = {
  [Name in OpsName]: 'act' extends keyof (typeof OPS)[Name] ? Name : never
}[OpsName]

const OWNER: readonly Role[] = ['owner']
const SUPPORT: readonly Role[] = ['support', 'owner']
const REVIEWER: readonly Role[] = ['reviewer', 'owner']
const EVERYONE: readonly Role[] = ROLES
const NOTES: readonly Role[] = ['support', 'reviewer', 'owner']
/** On a terminal of the machine only. */
const TERMINAL: readonly Role[] = []

/** `isGrave` warns: its button is red. */
type ConsoleAction = { roles: readonly Role[]; title: string; isGrave?: boolean }

/** The type demands a row for each action, and a test presses each one in each role. */
export const ACTIONS: Record<ActionName, ConsoleAction> = {
  'members freeze': { roles: SUPPORT, title: 'Freeze a member', isGrave: true },
  'members unfreeze': { roles: SUPPORT, title: 'Release a member' },
  'members reset-factor': { roles: SUPPORT, title: 'Switch one-time codes off' },
  'members change-email': { roles: SUPPORT, title: 'Mail codes for a new address' },
  'members confirm-email': { roles: SUPPORT, title: 'Change the address with both codes' },
  // Without the mailboxes: a mistake there gives an account away.
  'members set-email': {
    roles: OWNER,
    title: 'Change the address of a lost mailbox',
    isGrave: true,
  },
  'members delete': { roles: OWNER, title: 'Delete an account', isGrave: true },
  'notes add': { roles: NOTES, title: 'Add a note' },
  'notes delete': { roles: NOTES, title: 'Delete a note' },
  'sign-ins end': { roles: SUPPORT, title: 'End all sign-ins of a member' },
  'sessions end': { roles: SUPPORT, title: 'Stop a mining session' },
  'ledger correct': { roles: SUPPORT, title: 'Correct a balance' },
  // By another operator than the one who proposed it.
  'ledger approve': { roles: SUPPORT, title: 'Approve a correction' },
  'ledger refuse': { roles: SUPPORT, title: 'Refuse a correction', isGrave: true },
  'codes freeze': { roles: SUPPORT, title: 'Freeze a referral code', isGrave: true },
  'codes unfreeze': { roles: SUPPORT, title: 'Release a referral code' },
  'teams dismiss': { roles: SUPPORT, title: 'Call a team honest' },
  'quarantine release': { roles: OWNER, title: 'Release a session from quarantine' },
  'kyc accept': { roles: REVIEWER, title: 'Accept an identity document' },
  'kyc reject': { roles: REVIEWER, title: 'Reject an identity document', isGrave: true },
  // Writes a file on the machine; the console has a page instead.
  'kyc show': { roles: TERMINAL, title: 'Write an identity document to a file' },
  'operators invite': { roles: OWNER, title: 'Invite an operator' },
  'operators reset': { roles: OWNER, title: 'Invite an operator again' },
  'operators role': { roles: OWNER, title: 'Give an operator another role' },
  'operators sign-out': { roles: OWNER, title: 'Sign an operator out' },
  'operators remove': { roles: OWNER, title: 'Remove an operator', isGrave: true },
  'mail allow': { roles: SUPPORT, title: 'Try a refused address again' },
  'mail retry': { roles: SUPPORT, title: 'Send failed mails again' },
  'mail test': { roles: OWNER, title: 'Send a test mail' },
  'tasks add': { roles: OWNER, title: 'Add a task as a draft' },
  'tasks edit': { roles: OWNER, title: 'Change a task' },
  'tasks publish': { roles: OWNER, title: 'Publish a task' },
  'tasks end': { roles: OWNER, title: 'End a task', isGrave: true },
  'announcements add': { roles: OWNER, title: 'Tell all members something' },
  'announcements edit': { roles: OWNER, title: 'Change an announcement' },
  'announcements end': { roles: OWNER, title: 'End an announcement', isGrave: true },
  'flags on': { roles: OWNER, title: 'Turn a feature on' },
  'flags off': { roles: OWNER, title: 'Turn a feature off' },
  'flags for': { roles: OWNER, title: 'Turn a feature on for some members' },
  'flags require': { roles: OWNER, title: 'Give a feature to newer clients only' },
  'versions set': { roles: OWNER, title: 'Record a release' },
  'versions lift': { roles: OWNER, title: 'Accept every client again', isGrave: true },
  'keys renew': { roles: TERMINAL, title: 'Encrypt rows again under the first key' },
  'redis clear': { roles: TERMINAL, title: 'Clear Redis' },
}

export const LOG_TITLES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ACTIONS).map(([name, { title }]): [string, string] => [name, title]),
  ['console sign-in', 'Signed in'],
  ['console sign-in failed', 'Sign-in failed'],
  ['console sign-out', 'Signed out'],
  ['console invitation accepted', 'Invitation accepted'],
  ['console refused', 'Request refused'],
  ['kyc view', 'Look at an identity document'],
])

/** Returns the stored name of an action that this release does not know. */
export const titleOf = (action: string): string => LOG_TITLES.get(action) ?? action

/** Pages of the navigation, in its order, under their titles. */
export const NAV_PAGES = {
  overview: { path: '/overview', title: 'Overview', roles: EVERYONE },
  members: { path: '/members', title: 'Members', roles: EVERYONE },
  corrections: { path: '/corrections', title: 'Corrections', roles: SUPPORT },
  identity: { path: '/identity', title: 'Identity', roles: REVIEWER },
  teams: { path: '/teams', title: 'Suspicious teams', roles: EVERYONE },
  tasks: { path: '/tasks', title: 'Tasks', roles: EVERYONE },
  announcements: { path: '/announcements', title: 'Announcements', roles: EVERYONE },
  releases: { path: '/releases', title: 'Flags and versions', roles: EVERYONE },
  queues: { path: '/queues', title: 'Queues', roles: EVERYONE },
  operators: { path: '/operators', title: 'Operators', roles: OWNER },
  log: { path: '/log', title: 'Log', roles: EVERYONE },
}

/** Pages that others link to. */
export const LINKED_PAGES = {
  member: { path: '/members/:id', roles: EVERYONE },
  'member ledger': { path: '/members/:id/ledger', roles: EVERYONE },
  document: { path: '/identity/:id', roles: REVIEWER },
  'document content': { path: '/identity/:id/content', roles: REVIEWER },
  team: { path: '/teams/:id', roles: EVERYONE },
  task: { path: '/tasks/:id', roles: EVERYONE },
  account: { path: '/account', roles: EVERYONE },
}

export const PAGES = { ...NAV_PAGES, ...LINKED_PAGES }

export type PageName = keyof typeof PAGES

export const isAction = (name: string): name is ActionName => Object.hasOwn(ACTIONS, name)

export const mayAct = (role: Role, action: ActionName) => ACTIONS[action].roles.includes(role)
/** Support ends the sign-ins of one member, only an owner those of all. */
export const mayActOn = (role: Role, member: string | undefined) =>
  role === 'owner' || member !== EVERYBODY
export const mayOpen = (role: Role, page: PageName) => PAGES[page].roles.includes(role)
/** Bull Board shows the data of jobs, and runs a script. */
export const mayOpenBoard = (role: Role) => SUPPORT.includes(role)
