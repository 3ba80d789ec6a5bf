import type { Db, Tx } from '#db/postgres/statements/transaction'
import { notFound } from '#operators/actions/not-found'
import { normalizeReferralCode } from '#rules/members/referral-code'

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
