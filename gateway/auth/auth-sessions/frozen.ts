import type { MemberRow } from '#db/members/members'
import { RuleError } from '#rules/rule-error'

/**
 * Refuses a sign-in of a member whom an operator has frozen. The reason is answered only to someone
 * who knows the password.
 * @throws {RuleError} `account_frozen`
 */
export function assertNotFrozen({ frozenReason }: Pick<MemberRow, 'frozenReason'>): void {
  if (frozenReason === null) return
  throw new RuleError('account_frozen', `Your account is frozen: ${frozenReason}`)
}
