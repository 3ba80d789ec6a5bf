import { writeInbox } from '#db/inbox/inbox'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { deleteLockedMember } from '#db/members/deletion'
import { lockMember } from '#db/members/execute-once'
import { removeAuthenticator } from '#db/members/second-factor'
import { stopIfActive } from '#db/mining/mining'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { normalizeReferralCode } from '#rules/members/referral-code'
import { RuleError } from '#rules/rule-error'
import { assertImpersonal, notFound, refuse } from './action-log.ts'
import { lockKnownMember, memberNamed } from './members.ts'

/** A quarantined session is stopped when it is released. */
export type FrozenSession = 'stopped' | 'none' | 'quarantined'

async function stopSession(tx: Tx, memberId: number): Promise<FrozenSession> {
  try {
    return (await stopIfActive(tx, memberId)) ? 'stopped' : 'none'
  } catch (error) {
    if (error instanceof RuleError && error.code === 'session_quarantined') return 'quarantined'
    throw error
  }
}

/**
 * Balances and pending rewards stay (rules.md: Operators). The lock orders the freeze and the member's commands.
 * @param reason the member reads it at the next sign-in
 * @throws {RuleError} `not_found` for a deleted member, `bad_input` if the member is frozen already
 */
export async function freezeMember(
  tx: Tx,
  memberId: number,
  reason: string,
): Promise<FrozenSession> {
  await lockMember(tx, memberId)
  // Before the session, as a join through the member's code locks them.
  const member = await tx('users')
    .where({ id: memberId, deletedAt: null })
    .forNoKeyUpdate()
    .first('frozenAt')
  if (!member) throw new RuleError('not_found', 'There is no such member')
  if (member.frozenAt) refuse('The member is frozen already')
  const session = await stopSession(tx, memberId)
  const [frozen] = await tx('users')
    .where({ id: memberId })
    .update({ frozenAt: tx.fn.now(), frozenReason: reason, authEpoch: nextEpoch(tx) })
    .returning('authEpoch')
  const facts = { reason }
  await writeInbox(tx, { memberId, kind: 'frozen', fact: frozen.authEpoch, facts })
  return session
}

/** The member reads the reason in the inbox. @throws {RuleError} `bad_input` if the member is not frozen */
export async function unfreezeMember(tx: Tx, memberId: number, reason: string): Promise<void> {
  await lockMember(tx, memberId)
  const [released] = await tx('users')
    .where({ id: memberId })
    .whereNotNull('frozenAt')
    .update({ frozenAt: null, frozenReason: null })
    .returning('authEpoch')
  if (!released) refuse('The member is not frozen')
  const facts = { reason }
  await writeInbox(tx, { memberId, kind: 'released', fact: released.authEpoch, facts })
}

/** Gateways close the sockets within 35 s. @returns the id of the member @throws {RuleError} `not_found` */
export async function endSignIns(tx: Tx, member: string): Promise<number> {
  const { id } = await memberNamed(tx, member)
  await tx('users')
    .where({ id })
    .update({ authEpoch: nextEpoch(tx) })
  return id
}

const nextEpoch = (tx: Tx) => tx.raw('"authEpoch" + 1')

/** Members who sign up meanwhile have larger ids and no part in an action. */
type MembersUntil = { members: number; lastId: number }

export async function allMembers(db: Db): Promise<MembersUntil> {
  const { rows } = await db.raw(
    'select count(*)::integer as members, coalesce(max(id), 0) as "lastId" from users',
  )
  return rows[0]
}

/** Members of one transaction: a million at once exceed the limit of a statement and stay locked. */
const SIGNED_OUT_AT_ONCE = 5_000

/** In several transactions. After a crash it may be repeated: some members then sign in once more. */
export async function endAllSignIns(
  db: Db,
  { lastId }: Pick<MembersUntil, 'lastId'>,
  atOnce = SIGNED_OUT_AT_ONCE,
): Promise<void> {
  for (let after = 0; after < lastId; ) {
    const ids = await db('users')
      .where('id', '>', after)
      .where('id', '<=', lastId)
      .orderBy('id')
      .limit(atOnce)
      .pluck('id')
    const last = ids.at(-1) ?? lastId
    await inTransaction(db, (tx) =>
      tx('users')
        .whereBetween('id', [after + 1, last])
        .update({ authEpoch: nextEpoch(tx) }),
    )
    after = last
  }
}

/** `origin` is the public URL of the product, if known. */
export type MailContext = { dataKey: Buffer; origin: string | undefined }

/** For lost app and recovery codes; passkeys and sign-ins stay. @throws {RuleError} `second_factor_off` */
export async function resetFactor(
  tx: Tx,
  memberId: number,
  { dataKey, origin }: MailContext,
): Promise<void> {
  await lockMember(tx, memberId)
  if (!(await removeAuthenticator(tx, memberId))) {
    throw new RuleError('second_factor_off', 'The member uses no one-time codes')
  }
  const { email, language } = await tx('users').where({ id: memberId }).first('email', 'language')
  await enqueueMail(tx, dataKey, { to: email, ...mailTexts(language).factorReset(origin) })
}

/**
 * For a member who cannot sign in. @returns id of the inviter, whose team list changed; null without one
 * @throws {RuleError} `not_found`, `session_quarantined`, `bad_input` for a reason that names the member
 */
export async function deleteAccount(
  tx: Tx,
  memberId: number,
  { dataKey, reason }: { dataKey: Buffer; reason: string },
): Promise<number | null> {
  await lockKnownMember(tx, memberId)
  // Afterwards nothing is left to compare it with.
  await assertImpersonal(tx, memberId, reason)
  return deleteLockedMember(tx, dataKey, memberId)
}

/** Null unfreezes. Members counted before stay counted. @returns id of the owner @throws {RuleError} `not_found` */
export async function freezeCode(tx: Tx, code: string, reason: string | null): Promise<number> {
  const [owner] = await tx('users')
    .where({ referralCode: normalizeReferralCode(code) })
    .update({ referralFrozenReason: reason })
    .returning('id')
  if (!owner) throw notFound('referral code')
  return owner.id
}

export const frozenCodes = (db: Db) =>
  db('users')
    .whereNotNull('referralFrozenReason')
    .orderBy('id')
    .select('referralCode as code', 'id as memberId', 'username', 'teamSize')
    .select('referralFrozenReason as reason')
