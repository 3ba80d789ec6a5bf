import { lockMember } from '#db/members/member-lock'
import { stopIfActive } from '#db/mining/mining'
import type { Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'

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
  await tx('users')
    .where({ id: memberId })
    .update({
      frozenAt: tx.fn.now(),
      frozenReason: reason,
      authEpoch: tx.raw('"authEpoch" + 1'),
    })
  return session
}

/**
 * Ends the freeze: the member may sign in and start mining again.
 * @throws {RuleError} `bad_input` if the member is not frozen
 */
export async function unfreezeMember(tx: Tx, memberId: number): Promise<void> {
  await lockMember(tx, memberId)
  const changed = await tx('users')
    .where({ id: memberId })
    .whereNotNull('frozenAt')
    .update({ frozenAt: null, frozenReason: null })
  if (changed === 0) throw new RuleError('bad_input', 'The member is not frozen')
}
