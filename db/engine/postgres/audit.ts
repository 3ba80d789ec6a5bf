import {
  AUDIT_SETTINGS,
  type AuditProblem,
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
const STEPS: AuditStep[] = [
  { rules: { ...MEMBER_RULES, ...TEAM_RULES, ...TASK_RULES } },
  { rules: BALANCE_RULES, tables: balanceTables },
  { rules: FACT_RULES, tables: factTables },
]

/** Each step has its own snapshot, on two connections at a time if the pool has them. */
export async function auditSteps(db: Db): Promise<AuditProblem[]> {
  const found = await Promise.all(
    STEPS.map((step) =>
      inLedgerSnapshot(db, async (tx) => {
        await tx.raw(AUDIT_SETTINGS)
        return checkStep(tx, step, await ledgerPartitions(tx))
      }),
    ),
  )
  return found.flat()
}
