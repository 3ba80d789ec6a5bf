import { ledgerId } from '#rules/ledger-id'
import { MONEY_PLACES } from '#rules/money'
import { normalizeReferralCode } from '#rules/referral-code'
import { RuleError } from '#rules/rule-error'
import { isOlder, isVersion } from '#rules/version'
import { minimumVersion } from './app-info.ts'
import { post } from './ledger/ledger.ts'
import { memberByIdentifier } from './members/members.ts'
import { productNow } from './postgres/product-clock.ts'
import { sqlState, type Tx } from './postgres/transaction.ts'

/** Digits before the decimal point of a balance: `numeric(20, 8)`. */
const BALANCE_DIGITS = 12
/** SQLSTATE numeric_value_out_of_range. */
const NUMERIC_OVERFLOW = '22003'

/** Commands of operators (rules.md: Operators). None of them deletes a ledger row. */

const unknown = (what: string) => new RuleError('not_found', `There is no such ${what}`)

const tooLong = (what: string) =>
  new RuleError(
    'bad_input',
    `The ${what} may have at most ${BALANCE_DIGITS} digits before and ${MONEY_PLACES} after the decimal point`,
  )

async function memberNamed(tx: Tx, identifier: string) {
  const member = await memberByIdentifier(tx, identifier)
  if (!member) throw unknown('member')
  return member
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
  if (!owner) throw unknown('referral code')
  return owner.id
}

/** A correction; `member` is a user name or e-mail, a negative amount reduces the balance. */
export type Correction = { member: string; token: 'TESP' | 'USDT'; amount: string; reason: string }

/**
 * Corrects a balance with a ledger row that states the reason.
 * @returns id of the member
 * @throws {RuleError} `not_found`, `insufficient_balance`, `bad_input`
 */
export async function correctBalance(tx: Tx, correction: Correction): Promise<number> {
  const { token, amount, reason } = correction
  if (!/^-?\d+(\.\d+)?$/.test(amount) || Number(amount) === 0) {
    throw new RuleError('bad_input', 'The amount must be a decimal such as -12.5, not 0')
  }
  const [whole = '', fraction = ''] = amount.replace(/^-?0*/, '').split('.')
  if (whole.length > BALANCE_DIGITS || fraction.length > MONEY_PLACES) throw tooLong('amount')
  const member = await memberNamed(tx, correction.member)
  const { rows } = await tx.raw(`select nextval('correction_numbers') as number`)
  await post(tx, {
    id: ledgerId('correction', { number: rows[0].number }),
    userId: member.id,
    token,
    amount,
    type: 'other',
    description: `Correction: ${reason}`,
    at: await productNow(tx),
  }).catch((error) => {
    throw sqlState(error) === NUMERIC_OVERFLOW ? tooLong('new balance') : error
  })
  return member.id
}

/**
 * Ends every sign-in of a member, or of all members. The gateways' periodic check closes their
 * sockets within 35 s.
 * @returns number of members signed out
 * @throws {RuleError} `not_found`
 */
export async function endSignIns(tx: Tx, member: string | '@everybody'): Promise<number> {
  const ids = member === '@everybody' ? undefined : [(await memberNamed(tx, member)).id]
  const members = ids ? tx('users').whereIn('id', ids) : tx('users')
  return members.update({ authEpoch: tx.raw('"authEpoch" + 1') })
}

/** Turns a feature flag on or off for all members. */
export async function setFlag(tx: Tx, name: string, enabled: boolean): Promise<void> {
  const changed = await tx('feature_flags')
    .where({ name })
    .update({ enabled, updatedAt: tx.fn.now() })
  if (changed === 0) throw unknown('feature flag')
}

/** Sets the members (user names or e-mails) for whom a feature flag is on individually. */
export async function setFlagFor(tx: Tx, name: string, members: string[]): Promise<void> {
  const enabledForUsers: number[] = []
  for (const member of members) enabledForUsers.push((await memberNamed(tx, member)).id)
  const changed = await tx('feature_flags')
    .where({ name })
    .update({ enabledForUsers, updatedAt: tx.fn.now() })
  if (changed === 0) throw unknown('feature flag')
}

/** A release; without a minimum the one of the newest earlier release stays. */
export type Release = { version: string; minimum: string | null }

function checkVersion(what: string, version: string): void {
  if (!isVersion(version)) {
    throw new RuleError('bad_input', `The ${what} must be a version such as 1.4.0`)
  }
}

/**
 * Records a release; clients older than its minimum must reload.
 * @returns the minimum version that clients need now; null if any version is accepted
 * @throws {RuleError} `bad_input` for a text that is no version, or a minimum that the release itself
 * does not reach, which would make its clients reload for ever
 */
export async function setVersion(tx: Tx, { version, minimum }: Release): Promise<string | null> {
  checkVersion('version', version)
  if (minimum !== null) checkVersion('minimum', minimum)
  if (minimum !== null && isOlder(version, minimum)) {
    throw new RuleError('bad_input', 'The minimum must not be newer than the version')
  }
  await tx('app_versions')
    .insert({ version, minRequiredVersion: minimum })
    .onConflict('version')
    .merge({ minRequiredVersion: minimum, releaseDate: tx.fn.now(), isActive: true })
  return minimumVersion(tx)
}
