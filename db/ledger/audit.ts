import { isDistributed } from '#db/postgres/connection/layout'
import type { Db } from '#db/postgres/statements/transaction'
import { type AuditProblem, type AuditStep, checkStep } from './audit/audit-step.ts'
import { BALANCE_RULES, balanceTables } from './audit/balance-rules.ts'
import { FACT_RULES, factTables } from './audit/fact-rules.ts'
import { MEMBER_RULES, TEAM_RULES } from './audit/member-rules.ts'
import { ledgerPartitions } from './audit/partition-legs.ts'
import { AUDIT_SETTINGS } from './audit/settings.ts'
import { auditShards } from './citus/audit-shards.ts'

/** The short one first: its connection then takes the third. */
const STEPS: Record<string, AuditStep> = {
  'members and sessions': { rules: { ...MEMBER_RULES, ...TEAM_RULES } },
  'balances and sums': { rules: BALANCE_RULES, tables: balanceTables },
  'what ledger rows pay for': { rules: FACT_RULES, tables: factTables },
}

/** Names of all audited rules. */
export const AUDITED_RULES = Object.values(STEPS).flatMap(({ rules }) => Object.keys(rules))

/** Called after each step with its name and its time in ms. */
type Done = (step: string, ms: number) => void

async function runStep(db: Db, step: AuditStep): Promise<AuditProblem[]> {
  return db.transaction(
    async (tx) => {
      // Before the snapshot: one that is older than a merge of partitions would miss their rows.
      await tx.raw('lock table wallet_activity in access share mode')
      await tx.raw(AUDIT_SETTINGS)
      return checkStep(tx, step, await ledgerPartitions(tx))
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

async function runSteps(db: Db, done: Done): Promise<AuditProblem[]> {
  const found = await Promise.all(
    Object.entries(STEPS).map(async ([name, step]) => {
      const start = performance.now()
      const problems = await runStep(db, step)
      done(name, performance.now() - start)
      return problems
    }),
  )
  return found.flat()
}

/**
 * Checks the rules of the economy for every wallet, each rule in one snapshot of the database, on Citus
 * of the database's shards one by one; safe to run while the product is in use. Uses two connections at a
 * time if the pool has them.
 */
export async function audit(
  db: Db,
  done: Done = () => {},
): Promise<{ wallets: number; problems: AuditProblem[] }> {
  const problems = (await isDistributed(db))
    ? await auditShards(db, done)
    : await runSteps(db, done)
  const { rows } = await db.raw('select count(*) as count from wallets')
  return { wallets: Number(rows[0].count), problems }
}
