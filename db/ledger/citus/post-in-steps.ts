import type { Knex } from 'knex'
import { logChange } from '#db/ledger/log-change'
import { POST_STEPS, type Posting } from '#db/ledger/posting'
import { prepared } from '#db/postgres/statements/prepared'
import type { Tx } from '#db/postgres/statements/transaction'

/** `POST_SQL` on Citus, a statement for each step; returns whether the fact was paid now. */
export async function postInSteps(
  tx: Tx,
  { token, userId }: Posting,
  bindings: Record<string, Knex.RawBinding>,
): Promise<boolean> {
  const fact = await prepared(tx, 'post-fact', POST_STEPS.fact, bindings)
  if (fact.rowCount !== 1) return false
  const paid = await prepared(tx, `post-paid-${token}`, POST_STEPS.paid[token], bindings)
  await prepared(tx, 'post-row', POST_STEPS.row, { ...bindings, ...paid.rows[0] })
  await logChange(tx, userId)
  return true
}
