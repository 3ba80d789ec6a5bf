import { engineOf } from '#db/engine/engine'
import type { Db } from '#db/postgres/statements/transaction'
import type { AuditProblem } from './audit/audit-step.ts'

/**
 * Checks the rules of the economy for every wallet, each rule in one snapshot, on Citus of one shard after the
 * other; safe while the product is in use. Uses two connections at a time if the pool has them.
 */
export async function audit(db: Db): Promise<{ wallets: number; problems: AuditProblem[] }> {
  const problems = await (await engineOf(db)).audit(db)
  const { rows } = await db.raw('select count(*) as count from wallets')
  return { wallets: Number(rows[0].count), problems }
}
