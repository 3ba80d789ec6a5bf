import { writeInbox } from '#db/inbox/inbox'
import { post } from '#db/ledger/ledger'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail } from '#db/mails'
import { lockMember } from '#db/members/execute-once'
import { removeAuthenticator } from '#db/members/second-factor'
import { stopIfActive } from '#db/mining/mining'
import { productNow } from '#db/postgres/connection/product-clock'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { normalizeReferralCode } from '#rules/members/referral-code'
import { ledgerId } from '#rules/money/ledger-id'
import { MONEY_PLACES } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import { notFound } from './action-log.ts'
import { memberNamed } from './members.ts'

/** What became of the member's session: a quarantined one is stopped when it is released. */
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
 * Freezes a member (rules.md: Operators): every sign-in ends, no new one begins, and the running
 * session is stopped as the member could stop it. Nothing is taken: balances and pending rewards stay.
 * The member's lock orders the freeze and the member's commands.
 * @param reason the member reads it at the next sign-in
 * @throws {RuleError} `not_found` for a deleted member, `bad_input` if the member is frozen already
 */
export async function freezeMember(
  tx: Tx,
  memberId: number,
  reason: string,
): Promise<FrozenSession> {
  await lockMember(tx, memberId)
  const member = await tx('users').where({ id: memberId, deletedAt: null }).first('frozenAt')
  if (!member) throw new RuleError('not_found', 'There is no such member')
  if (member.frozenAt) throw new RuleError('bad_input', 'The member is frozen already')
  const session = await stopSession(tx, memberId)
  const [frozen] = await tx('users')
    .where({ id: memberId })
    .update({
      frozenAt: tx.fn.now(),
      frozenReason: reason,
      authEpoch: tx.raw('"authEpoch" + 1'),
    })
    .returning('authEpoch')
  const facts = { reason }
  await writeInbox(tx, { memberId, kind: 'frozen', fact: frozen.authEpoch, facts })
  return session
}

/**
 * Ends the freeze: the member may sign in and start mining again.
 * @param reason the member reads it in the inbox
 * @throws {RuleError} `bad_input` if the member is not frozen
 */
export async function unfreezeMember(tx: Tx, memberId: number, reason: string): Promise<void> {
  await lockMember(tx, memberId)
  const [released] = await tx('users')
    .where({ id: memberId })
    .whereNotNull('frozenAt')
    .update({ frozenAt: null, frozenReason: null })
    .returning('authEpoch')
  if (!released) throw new RuleError('bad_input', 'The member is not frozen')
  const facts = { reason }
  await writeInbox(tx, { memberId, kind: 'released', fact: released.authEpoch, facts })
}

/** Names every member in `endSignIns`. */
export const EVERYBODY = '@everybody'

/**
 * Ends every sign-in of a member (`memberNamed`), or of all members. The gateways' periodic check
 * closes their sockets within 35 s.
 * @returns number of members signed out, and the id if it was one
 * @throws {RuleError} `not_found`
 */
export async function endSignIns(
  tx: Tx,
  member: string | typeof EVERYBODY,
): Promise<{ members: number; memberId?: number }> {
  const epoch = { authEpoch: tx.raw('"authEpoch" + 1') }
  if (member === EVERYBODY) return { members: await tx('users').update(epoch) }
  const { id } = await memberNamed(tx, member)
  return { members: await tx('users').where({ id }).update(epoch), memberId: id }
}

/** What the mail about a reset depends on; `origin` is the public URL of the product, if known. */
export type ResetMail = { dataKey: Buffer; origin: string | undefined }

/**
 * Switches off the one-time codes of a member who lost the app and the recovery codes, and writes the
 * mail about it. Passkeys and sign-ins stay.
 * @returns id of the mail
 * @throws {RuleError} `second_factor_off`
 */
export async function resetFactor(
  tx: Tx,
  memberId: number,
  { dataKey, origin }: ResetMail,
): Promise<number> {
  await lockMember(tx, memberId)
  if (!(await removeAuthenticator(tx, memberId))) {
    throw new RuleError('second_factor_off', 'The member uses no one-time codes')
  }
  const { email, language } = await tx('users').where({ id: memberId }).first('email', 'language')
  return enqueueMail(tx, dataKey, { to: email, ...mailTexts(language).factorReset(origin) })
}

/**
 * Freezes a referral code with a reason that its owner sees, or unfreezes it with null. Members
 * counted before stay counted.
 * @returns id of the owner
 * @throws {RuleError} `not_found`
 */
export async function freezeCode(tx: Tx, code: string, reason: string | null): Promise<number> {
  const [owner] = await tx('users')
    .where({ referralCode: normalizeReferralCode(code) })
    .update({ referralFrozenReason: reason })
    .returning('id')
  if (!owner) throw notFound('referral code')
  return owner.id
}

/** A frozen referral code and its owner. */
export type FrozenCode = {
  code: string
  memberId: number
  username: string
  teamSize: number
  reason: string
}

/** All frozen referral codes, in the order of their owners' ids. */
export async function frozenCodes(db: Db): Promise<FrozenCode[]> {
  return db('users')
    .whereNotNull('referralFrozenReason')
    .orderBy('id')
    .select('referralCode as code', 'id as memberId', 'username', 'teamSize')
    .select('referralFrozenReason as reason')
}

/** Digits before the decimal point of a balance: `numeric(20, 8)`. */
const BALANCE_DIGITS = 12
/** SQLSTATE numeric_value_out_of_range. */
const NUMERIC_OVERFLOW = '22003'

const tooLong = (what: string) =>
  new RuleError(
    'bad_input',
    `The ${what} may have at most ${BALANCE_DIGITS} digits before and ${MONEY_PLACES} after the decimal point`,
  )

/** A correction of the balance of `member` (`memberNamed`); a negative amount reduces it. */
export type Correction = { member: string; token: 'TESP' | 'USDT'; amount: string; reason: string }

/**
 * Rejects an amount that a correction cannot have.
 * @throws {RuleError} `bad_input`
 */
export function checkAmount(amount: string): void {
  if (!/^-?\d+(\.\d+)?$/.test(amount) || Number(amount) === 0) {
    throw new RuleError('bad_input', 'The amount must be a decimal such as -12.5, not 0')
  }
  const [whole = '', fraction = ''] = amount.replace(/^-?0*/, '').split('.')
  if (whole.length > BALANCE_DIGITS || fraction.length > MONEY_PLACES) throw tooLong('amount')
}

/**
 * Corrects a balance with a ledger row that states the reason.
 * @returns ids of the member and of the ledger row
 * @throws {RuleError} `not_found`, `insufficient_balance`, `bad_input`
 */
export async function correctBalance(
  tx: Tx,
  correction: Correction,
): Promise<{ memberId: number; ledgerRow: string }> {
  const { token, amount, reason } = correction
  checkAmount(amount)
  const named = await memberNamed(tx, correction.member)
  // Under the lock a deletion has ended or follows.
  await lockMember(tx, named.id)
  const member = await memberNamed(tx, `id:${named.id}`)
  const { rows } = await tx.raw(`select nextval('correction_numbers') as number`)
  const id = ledgerId('correction', { number: rows[0].number })
  await post(tx, {
    id,
    userId: member.id,
    token,
    amount,
    type: 'other',
    description: `Correction: ${reason}`,
    at: await productNow(tx),
  }).catch((error) => {
    throw sqlState(error) === NUMERIC_OVERFLOW ? tooLong('new balance') : error
  })
  const facts = { token, amount, reason }
  await writeInbox(tx, { memberId: member.id, kind: 'corrected', fact: rows[0].number, facts })
  return { memberId: member.id, ledgerRow: id }
}
