import type { Db, Tx } from '#db/postgres/statements/transaction'
import { applyReferralCode } from '#db/team/referrals'
import { API_TEXTS } from '#rules/api-texts'
import { memberKey } from '#rules/buckets'
import type { User } from '#rules/members/account-snapshots'
import type { Language } from '#rules/members/languages'
import {
  emailKey,
  normalizeEmail,
  normalizeUsername,
  usernameKey,
} from '#rules/members/usernames-and-emails'
import { RuleError } from '#rules/rule-error'
import type { Availability } from '#rules/snapshots'
import { redeemVerifiedEmail } from './email-codes.ts'

/** The columns of `users` that the rules need. */
export type MemberRow = User & {
  password: string
  authEpoch: number
  deletedAt: Date | null
  /** Why an operator has frozen the member; null if they may sign in. */
  frozenReason: string | null
}

/** The member's own view: without password hash and internal columns. */
export function userView(row: MemberRow): User {
  const { id, username, email, phone, fullName, avatar, referralCode, language } = row
  const { kycStatus, kycDocumentType, kycDocumentUrl } = row
  const identity = { kycStatus, kycDocumentType, kycDocumentUrl }
  return { id, username, email, phone, fullName, avatar, referralCode, ...identity, language }
}

/** The member with that id, deleted or not. */
export async function memberById(db: Db, id: number): Promise<MemberRow | undefined> {
  return db('users').where({ id }).first()
}

/** The member with that e-mail address, or with that user name when `identifier` has no `@`. */
export async function memberByIdentifier(
  db: Db,
  identifier: string,
): Promise<MemberRow | undefined> {
  const where = identifier.includes('@')
    ? { emailKey: emailKey(identifier) }
    : { usernameKey: usernameKey(identifier) }
  return db('users')
    .where({ ...where, deletedAt: null })
    .first()
}

const isFree = async (db: Db, key: { usernameKey: string } | { emailKey: string }) =>
  (await db('users').where(key).first('id')) === undefined

/** Whether a user name is free, ignoring case. */
export async function checkUsername(db: Db, username: string): Promise<Availability> {
  const available = await isFree(db, { usernameKey: usernameKey(username) })
  return { available, message: available ? API_TEXTS.usernameFree : API_TEXTS.usernameTaken }
}

/** Whether an e-mail address is free, ignoring case. */
export async function checkEmail(db: Db, email: string): Promise<Availability> {
  const available = await isFree(db, { emailKey: emailKey(email) })
  return { available, message: available ? API_TEXTS.emailFree : API_TEXTS.emailTaken }
}

/** `browserId` is the browser session that verified the e-mail address. */
type Registration = {
  username: string
  email: string
  passwordHash: string
  referralCode?: string | undefined
  language: Language
  browserId: string
}

/**
 * Creates a member with an empty wallet and, when a code is given, a referrer, whose team grew.
 * @throws {RuleError} `email_not_verified`, `username_taken`, `email_taken`, `referral_unknown`, `referral_refused`
 */
export async function registerMember(
  tx: Tx,
  registration: Registration,
): Promise<{ member: MemberRow; referrerId?: number }> {
  const { username, email, passwordHash, referralCode, language, browserId } = registration
  const addressHash = await redeemVerifiedEmail(tx, { email, purpose: 'register', browserId })
  const [created]: MemberRow[] = await tx('users')
    .insert({
      username: normalizeUsername(username),
      usernameKey: usernameKey(username),
      email: normalizeEmail(email),
      emailKey: emailKey(email),
      password: passwordHash,
      addressHash,
      language,
    })
    .onConflict()
    .ignore()
    .returning('*')
  if (!created) throw await takenError(tx, registration)
  await tx('wallets').insert(memberKey(created.id))
  await tx('mining_stats').insert(memberKey(created.id))
  if (!referralCode?.trim()) return { member: created }
  const referrerId = await applyReferralCode(tx, created.id, referralCode)
  return { member: created, referrerId }
}

async function takenError(tx: Tx, { username }: Registration): Promise<RuleError> {
  const { available, message } = await checkUsername(tx, username)
  return available
    ? new RuleError('email_taken', API_TEXTS.emailTaken)
    : new RuleError('username_taken', message)
}
