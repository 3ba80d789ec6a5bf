import { audit } from '#db/ledger/audit'
import type { Db } from '#db/postgres/statements/transaction'

/**
 * Runs the function behind `npm run audit` on the bench's database: a part that writes money calls it
 * at the end, so that no speed is bought with wrong balances.
 * @throws {Error} that names the broken rules and their first rows
 */
export async function assertCleanAudit(db: Db): Promise<void> {
  const { problems } = await audit(db)
  if (problems.length === 0) return
  const lines = problems.map(({ rule, rows }) => `${rule}: ${JSON.stringify(rows[0])}`)
  throw new Error(`The audit found broken rules:\n${lines.join('\n')}`)
}
