import type { Tx } from '#db/postgres/statements/transaction'
import {
  approveCorrection,
  type Correction,
  correctOrPropose,
} from '#operators/actions/corrections'
import { memberNamed } from '#operators/actions/members'

/** Posts a correction of any amount: a second operator approves one above the limit. */
export async function correctBalance(
  tx: Tx,
  { member, ...correction }: Omit<Correction, 'memberId'> & { member: string },
): Promise<{ memberId: number; ledgerRow: string }> {
  const { id: memberId } = await memberNamed(tx, member)
  const done = await correctOrPropose(tx, { ...correction, memberId }, 'ada')
  return 'ledgerRow' in done ? done : approveCorrection(tx, done.proposal, 'bob')
}
