import {
  AUDIT_SETTINGS,
  type AuditProblem,
  type AuditProgress,
  type AuditStep,
  checkStep,
  ledgerPartitions,
} from '#db/ledger/audit/audit-step'
import { BALANCE_RULES, balanceTables } from '#db/ledger/audit/balance-rules'
import { FACT_RULES, factTables } from '#db/ledger/audit/fact-rules'
import { MEMBER_RULES, TASK_RULES, TEAM_RULES } from '#db/ledger/audit/member-rules'
import { inLedgerSnapshot } from '#db/ledger/partition-swap'
import type { Db } from '#db/postgres/statements/transaction'

/** The short one first: its connection then takes the third. */
const STEPS: Record<string, AuditStep> = {
  'members and sessions': { rules: { ...MEMBER_RULES, ...TEAM_RULES, ...TASK_RULES } },
  'balances and sums': { rules: BALANCE_RULES, tables: balanceTables },
  'what ledger rows pay for': { rules: FACT_RULES, tables: factTables },
}

/** Each step has its own snapshot, on two connections at a time if the pool has them. */
export async function auditSteps(db: Db, done: AuditProgress): Promise<AuditProblem[]> {
  const found = await Promise.all(
    Object.entries(STEPS).map(async ([name, step]) => {
      const start = performance.now()
      const problems = await inLedgerSnapshot(db, async (tx) => {
        await tx.raw(AUDIT_SETTINGS)
        return checkStep(tx, step, await ledgerPartitions(tx))
      })
      done(name, performance.now() - start)
      return problems
    }),
  )
  return found.flat()
}
