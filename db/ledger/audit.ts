import { engineOf } from '#db/engine/engine'
import type { Db } from '#db/postgres/statements/transaction'
import type { AuditProblem, AuditProgress } from './audit/audit-step.ts'
import { BALANCE_RULES } from './audit/balance-rules.ts'
import { FACT_RULES } from './audit/fact-rules.ts'
import { MEMBER_RULES, TASK_RULES, TEAM_RULES } from './audit/member-rules.ts'

/** Names of all audited rules. */
export const AUDITED_RULES = [
  MEMBER_RULES,
  TEAM_RULES,
  TASK_RULES,
  BALANCE_RULES,
  FACT_RULES,
].flatMap(Object.keys)

/**
 * Checks the rules of the economy for every wallet, each rule in one snapshot of the database, on Citus
 * of one shard after the other; safe to run while the product is in use. Uses two connections at a
 * time if the pool has them.
 */
export async function audit(
  db: Db,
  done: AuditProgress = () => {},
): Promise<{ wallets: number; problems: AuditProblem[] }> {
  const problems = await (await engineOf(db)).audit(db, done)
  const { rows } = await db.raw('select count(*) as count from wallets')
  return { wallets: Number(rows[0].count), problems }
}
