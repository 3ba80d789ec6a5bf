import type { Role } from '#operators/actions/operators'
import type { ActCommand } from '#operators/ops/command'
import { OPS, type OpsName } from '#operators/ops/program'

/** Every command of `npm run ops` that acts. */
export type ActionName = {
  [Name in OpsName]: (typeof OPS)[Name] extends ActCommand ? Name : never
}[OpsName]

const OWNER: readonly Role[] = ['owner']
const SUPPORT: readonly Role[] = ['support', 'owner']
const REVIEWER: readonly Role[] = ['reviewer', 'owner']
const EVERYONE: readonly Role[] = ['reader', 'support', 'reviewer', 'owner']
const NOTES: readonly Role[] = ['support', 'reviewer', 'owner']
/** On a terminal of the machine only. */
const TERMINAL: readonly Role[] = []

/**
 * Which roles carry out which action in the console. The type demands a row for each action, and a test
 * presses each one in each role.
 */
export const ACTION_ROLES: Record<ActionName, readonly Role[]> = {
  'members freeze': SUPPORT,
  'members unfreeze': SUPPORT,
  'members reset-factor': SUPPORT,
  'members change-email': SUPPORT,
  'members confirm-email': SUPPORT,
  // Without the mailboxes: whoever gets it wrong gives an account away.
  'members set-email': OWNER,
  'notes add': NOTES,
  'notes delete': NOTES,
  'sign-ins end': SUPPORT,
  'sessions end': SUPPORT,
  'ledger correct': SUPPORT,
  // By another operator than the one who proposed it.
  'ledger approve': SUPPORT,
  'ledger refuse': SUPPORT,
  'codes freeze': SUPPORT,
  'codes unfreeze': SUPPORT,
  'teams dismiss': SUPPORT,
  'quarantine release': OWNER,
  'kyc accept': REVIEWER,
  'kyc reject': REVIEWER,
  // Writes a file on the machine; the console has a page instead.
  'kyc show': TERMINAL,
  'operators invite': OWNER,
  'operators reset': OWNER,
  'operators role': OWNER,
  'operators sign-out': OWNER,
  'operators remove': OWNER,
  'mail allow': SUPPORT,
  'mail retry': SUPPORT,
  'mail test': OWNER,
  'tasks add': OWNER,
  'tasks edit': OWNER,
  'tasks publish': OWNER,
  'tasks end': OWNER,
  'announcements add': OWNER,
  'announcements edit': OWNER,
  'announcements end': OWNER,
  'flags on': OWNER,
  'flags off': OWNER,
  'flags for': OWNER,
  'versions set': OWNER,
  'versions lift': OWNER,
  'keys renew': TERMINAL,
  'redis clear': TERMINAL,
}

/** Which roles open which page. */
const PAGE_ROLES = {
  overview: EVERYONE,
  members: EVERYONE,
  member: EVERYONE,
  'member ledger': EVERYONE,
  corrections: SUPPORT,
  identity: REVIEWER,
  document: REVIEWER,
  'document content': REVIEWER,
  teams: EVERYONE,
  team: EVERYONE,
  tasks: EVERYONE,
  task: EVERYONE,
  announcements: EVERYONE,
  releases: EVERYONE,
  queues: EVERYONE,
  operators: OWNER,
  account: EVERYONE,
  log: EVERYONE,
} satisfies Record<string, readonly Role[]>

export type PageName = keyof typeof PAGE_ROLES

export const isAction = (name: string): name is ActionName =>
  Object.hasOwn(OPS, name) && 'act' in OPS[name as OpsName]

export const mayAct = (role: Role, action: ActionName) => ACTION_ROLES[action].includes(role)
export const mayOpen = (role: Role, page: PageName) =>
  (PAGE_ROLES[page] as readonly Role[]).includes(role)
/** Bull Board shows the data of jobs, and runs a script. */
export const mayOpenBoard = (role: Role) => SUPPORT.includes(role)
