import { ledgerId } from '#rules/ledger-id'
import { normalizeReferralCode } from '#rules/referral-code'
import { RuleError } from '#rules/rule-error'
import { post } from './ledger/ledger.ts'
import { memberByIdentifier } from './members/members.ts'
import { productNow } from './postgres/product-clock.ts'
import type { Tx } from './postgres/transaction.ts'

/** What operators do (rules.md: Operators). Nothing here takes a ledger row away. */

const unknown = (what: string) => new RuleError('not_found', `There is no such ${what}`)

async function memberNamed(tx: Tx, identifier: string) {
  const member = await memberByIdentifier(tx, identifier)
  if (!member) throw unknown('member')
  return member
}

/**
 * Freezes a referral code with a reason that its owner sees, or thaws it with none; what was
 * counted before stays.
 * @returns the owner
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

/** A correction as an operator names it; a leading minus takes away. */
export type Correction = { member: string; token: 'TESP' | 'USDT'; amount: string; reason: string }

/**
 * Corrects a balance by a ledger row of its own that says why.
 * @returns the member
 * @throws {RuleError} `not_found`, `insufficient_balance`, `bad_input`
 */
export async function correctBalance(tx: Tx, correction: Correction): Promise<number> {
  const { token, amount, reason } = correction
  if (!/^-?\d{1,10}(\.\d{1,8})?$/.test(amount) || Number(amount) === 0) {
    throw new RuleError('bad_input', 'The amount must be a decimal of at most 8 places, not 0')
  }
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
  })
  return member.id
}

/**
 * Ends every sign-in of a member, or of everybody; open sockets close within seconds.
 * @returns how many members were signed out
 * @throws {RuleError} `not_found`
 */
export async function endSignIns(tx: Tx, member: string | '@everybody'): Promise<number> {
  const ids = member === '@everybody' ? undefined : [(await memberNamed(tx, member)).id]
  const those = ids ? tx('users').whereIn('id', ids) : tx('users')
  return those.update({ authEpoch: tx.raw('"authEpoch" + 1') })
}

/** Turns a feature flag on or off for everybody. */
export async function setFlag(tx: Tx, name: string, enabled: boolean): Promise<void> {
  const changed = await tx('feature_flags')
    .where({ name })
    .update({ enabled, updatedAt: tx.fn.now() })
  if (changed === 0) throw unknown('feature flag')
}

/** Turns a feature flag on for these members alone (by user name or e-mail). */
export async function setFlagFor(tx: Tx, name: string, members: string[]): Promise<void> {
  const enabledForUsers: number[] = []
  for (const member of members) enabledForUsers.push((await memberNamed(tx, member)).id)
  const changed = await tx('feature_flags')
    .where({ name })
    .update({ enabledForUsers, updatedAt: tx.fn.now() })
  if (changed === 0) throw unknown('feature flag')
}

/** Records a release; clients older than `minimum` are asked to reload. */
export async function setVersion(tx: Tx, version: string, minimum: string | null): Promise<void> {
  await tx('app_versions')
    .insert({ version, minRequiredVersion: minimum })
    .onConflict('version')
    .merge({ minRequiredVersion: minimum, releaseDate: tx.fn.now(), isActive: true })
}
