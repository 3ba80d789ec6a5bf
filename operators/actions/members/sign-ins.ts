import type { Tx } from '#db/postgres/statements/transaction'
import { memberNamed } from './find-member.ts'

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
