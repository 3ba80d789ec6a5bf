import { hash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { SECRET_BYTES, stepOf } from '#db/members/one-time-code'
import { type Db, ifTaken, type Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'
import { decrypt, encrypt } from '#runtime/secrets/encryption'
import { notFound, refuse } from './action-log.ts'

/** `operators/console/roles.ts` says which role does what. */
export const ROLES = ['reader', 'support', 'reviewer', 'owner'] as const
export type Role = (typeof ROLES)[number]

export type Operator = { id: number; name: string; role: Role }

export const INVITATION_HOURS = 24
const PURPOSE = 'operator secret'

/** Tokens of links and cookies have 256 random bits, so a fast hash is enough. */
export const tokenHash = (token: string) => hash('sha256', token)
export const newToken = () => randomBytes(32).toString('base64url')

/** @throws {RuleError} `bad_input` */
export function roleOf(text: string | undefined): Role {
  const role = ROLES.find((one) => one === text)
  if (!role) refuse(`The role must be one of ${ROLES.join(', ')}`)
  return role
}

/** The operator cannot sign in before the invitation is accepted. */
function invitation(tx: Tx, dataKey: Buffer) {
  const token = newToken()
  const row = {
    password: null,
    sealed: encrypt(dataKey, PURPOSE, randomBytes(SECRET_BYTES)),
    lastStep: 0,
    invitationHash: tokenHash(token),
    invitedUntil: tx.raw(`now() + interval '${INVITATION_HOURS} hours'`),
  }
  return { token, row }
}

/** Returns the token of the link. @throws {RuleError} `bad_input` for a name that is taken or not usable */
export async function inviteOperator(
  tx: Tx,
  dataKey: Buffer,
  { name, role }: { name: string; role: Role },
): Promise<string> {
  if (!/^[a-z][a-z0-9.-]{1,29}$/.test(name)) {
    const rule = '2 to 30 letters a-z, digits, dots or hyphens, and begin with a letter'
    refuse(`The name must have ${rule}`)
  }
  const { token, row } = invitation(tx, dataKey)
  await tx('operators')
    .insert({ name, role, ...row })
    .catch(ifTaken(new RuleError('bad_input', `There is an operator ${name} already`)))
  return token
}

/** Ends the operator's sign-ins; returns the token of a new link. @throws {RuleError} `not_found` */
export async function resetOperator(tx: Tx, dataKey: Buffer, name: string): Promise<string> {
  const { token, row } = invitation(tx, dataKey)
  const [operator] = await tx('operators').where({ name }).update(row).returning('id')
  if (!operator) throw notFound('operator')
  await tx('operator_sign_ins').where({ operatorId: operator.id }).delete()
  return token
}

/** Without an owner who has accepted nobody could invite one in the console. The lock orders parallel changes. */
async function changeOperator(
  tx: Tx,
  name: string,
  work: (operator: Knex.QueryBuilder) => PromiseLike<number>,
): Promise<void> {
  const operator = await tx('operators').where({ name }).first('role', 'password')
  const isOwner = operator?.role === 'owner'
  if (isOwner) await tx.raw('lock table operators in share row exclusive mode')
  if ((await work(tx('operators').where({ name }))) === 0) throw notFound('operator')
  const owners = tx('operators').where({ role: 'owner' })
  if (operator?.password) owners.whereNotNull('password')
  if (!isOwner || (await owners.first('id'))) return
  refuse('There must be an owner who has accepted: invite another one first')
}

/** Takes effect with the next request. @throws {RuleError} `not_found`; `bad_input` for the last owner */
export const setRole = (tx: Tx, name: string, role: Role): Promise<void> =>
  changeOperator(tx, name, (operator) => operator.update({ role }))

/** The log keeps the name. @throws {RuleError} `not_found`; `bad_input` for the last owner */
export const removeOperator = (tx: Tx, name: string): Promise<void> =>
  changeOperator(tx, name, (operator) => operator.delete())

export type StoredOperator = Operator & { password: string | null; sealed: Buffer }

const STORED = ['id', 'name', 'role', 'password', 'sealed'] as const

export async function operatorNamed(db: Db, name: string): Promise<StoredOperator | undefined> {
  return db('operators')
    .where({ name })
    .whereNotNull('password')
    .first(...STORED)
}

/** Undefined for a used or expired token. */
export async function invitedBy(db: Db, token: string): Promise<StoredOperator | undefined> {
  return db('operators')
    .where({ invitationHash: tokenHash(token) })
    .where('invitedUntil', '>', db.fn.now())
    .first(...STORED)
}

export const secretOf = (dataKey: Buffer, { sealed }: Pick<StoredOperator, 'sealed'>): Buffer =>
  decrypt(dataKey, PURPOSE, sealed)

/** A used code, and those before it, never work again. `now` is real time, ms. */
export async function useCode(
  db: Db,
  dataKey: Buffer,
  operator: StoredOperator,
  code: string,
  now: number,
): Promise<boolean> {
  const step = stepOf(secretOf(dataKey, operator), code.replace(/\s/g, ''), now)
  if (step === undefined) return false
  const used = await db('operators')
    .where({ id: operator.id })
    .where('lastStep', '<', step)
    .update({ lastStep: step })
  return used === 1
}

/** False if it was reset meanwhile. */
export async function acceptInvitation(
  tx: Tx,
  token: string,
  passwordHash: string,
): Promise<boolean> {
  const accepted = await tx('operators')
    .where({ invitationHash: tokenHash(token) })
    .update({ password: passwordHash, invitationHash: null, invitedUntil: null })
  return accepted === 1
}
