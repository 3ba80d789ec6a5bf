import type { Knex } from 'knex'
import { logChange } from '#db/ledger/log-change'
import { POST_STEPS, type Posting } from '#db/ledger/posting'
import { prepared } from '#db/postgres/statements/prepared'
import type { Tx } from '#db/postgres/statements/transaction'

/**
 * `POST_SQL` on Citus, a statement for each step; returns whether the fact was paid now. If not, the caller
 * has to roll back: the wallet is changed without waiting for the answer about the fact.
 */
export async function postInSteps(
  tx: Tx,
  { token, userId }: Posting,
  bindings: Record<string, Knex.RawBinding>,
): Promise<boolean> {
  const fact = prepared(tx, 'post-fact', POST_STEPS.fact, bindings)
  const paid = prepared(tx, `post-paid-${token}`, POST_STEPS.paid[token], bindings)
  // A fact that was paid before is reported as such, even if the balance is too low now.
  paid.catch(() => {})
  if ((await fact).rowCount !== 1) return false
  const row = { ...bindings, ...(await paid).rows[0] }
  await Promise.all([prepared(tx, 'post-row', POST_STEPS.row, row), logChange(tx, userId)])
  return true
}
