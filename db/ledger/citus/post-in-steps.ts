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
  // Not sent with the next one: no wallet may change before it is known that the fact is new.
  const fact = await prepared(tx, 'post-fact', POST_STEPS.fact, bindings)
  if (fact.rowCount !== 1) return false
  const paid = await prepared(tx, `post-paid-${token}`, POST_STEPS.paid[token], bindings)
  const row = { ...bindings, ...paid.rows[0] }
  await Promise.all([prepared(tx, 'post-row', POST_STEPS.row, row), logChange(tx, userId)])
  return true
}
