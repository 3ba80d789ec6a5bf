import { REASON_CHARACTERS } from '#db/members/kyc'
import { type Db, ifTaken, type Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'

/** Facts of an action: ids, amounts and names of settings, never other personal data. */
export type ActionDetails = Record<string, string | number | boolean | number[] | null>

/** `memberId` is the member whom it affects, if it is one. */
export type OperatorAction = {
  operator: string
  action: string
  memberId: number | null
  details: ActionDetails
  reason: string
  /** The operator's account in the console; absent for a command on a terminal. */
  operatorId?: number
  /** Of the confirmed form; a second action with it is refused. */
  formKey?: string
  /** The reason is the product's own words, which may hold what a member chose as a user name. */
  isUsual?: boolean
}

/** Returns one line. @throws {RuleError} `bad_input`: empty, long, or with an e-mail address (the log is kept) */
export function reasonText(reason: string): string {
  const text = reason.trim().replace(/\s+/g, ' ')
  if (text === '' || text.length > REASON_CHARACTERS) {
    refuse(`The reason must have 1 to ${REASON_CHARACTERS} characters`)
  }
  if (/\S@\S/.test(text)) refusePersonal('an e-mail address')
  return text
}

function refusePersonal(what: string): never {
  refuse(`The reason must not contain ${what}: it is kept for good`)
}

const PERSONAL = {
  username: 'the user name',
  email: 'the e-mail address',
  fullName: 'the name',
  phone: 'the phone number',
  referralCode: 'the referral code',
}

function mentions(text: string, value: string): boolean {
  const literal = value.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'u').test(text.toLowerCase())
}

/** The log cannot be changed: what identifies a member must not get into it. @throws {RuleError} `bad_input` */
export async function assertImpersonal(tx: Tx, memberId: number, reason: string): Promise<void> {
  const member = await tx('users').where({ id: memberId }).first(Object.keys(PERSONAL))
  for (const [column, what] of Object.entries(PERSONAL)) {
    const value: string | null = member?.[column] ?? null
    if (value && mentions(reason, value)) refusePersonal(`${what} of the member`)
  }
}

/**
 * Call it in the action's transaction: one exists exactly if the other does.
 * @throws {RuleError} `bad_input` for a wrong reason, `already_posted`
 */
export async function recordAction(tx: Tx, entry: OperatorAction): Promise<void> {
  const { operator, action, memberId, details, isUsual = false } = entry
  const reason = reasonText(entry.reason)
  if (memberId !== null && !isUsual) await assertImpersonal(tx, memberId, reason)
  const { operatorId = null, formKey = null } = entry
  const row = { operator, action, userId: memberId, details, reason, operatorId, formKey }
  await tx('operator_actions')
    .insert(row)
    .catch(ifTaken(new RuleError('already_posted', 'This form was sent before: it acts once')))
}

/** `operatorId` is null for commands on a terminal. */
export type LoggedAction = Omit<OperatorAction, 'operatorId' | 'formKey' | 'isUsual'> & {
  id: number
  at: Date
  databaseRole: string
  operatorId: number | null
}

export type LogFilter = { before?: number; memberId?: number; operator?: string; action?: string }

export async function listActions(
  db: Db,
  limit: number,
  { before, memberId, ...equal }: LogFilter = {},
): Promise<LoggedAction[]> {
  const actions = db('operator_actions').where(equal).orderBy('id', 'desc').limit(limit)
  if (before !== undefined) actions.where('id', '<', before)
  if (memberId !== undefined) actions.where({ userId: memberId })
  return actions
    .select('id', 'at', 'operator', 'operatorId', 'databaseRole', 'action', 'userId as memberId')
    .select('details', 'reason')
}

/** @throws {RuleError} `bad_input` with this sentence */
export function refuse(sentence: string): never {
  throw new RuleError('bad_input', sentence)
}

export const notFound = (what: string) => new RuleError('not_found', `There is no such ${what}`)
