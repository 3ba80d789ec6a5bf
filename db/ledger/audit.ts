import type { Db, Tx } from '#db/postgres/statements/transaction'
import { BALANCE_RULES, balanceTables } from './audit/balance-rules.ts'
import { FACT_RULES, factTables } from './audit/fact-rules.ts'
import { MEMBER_RULES } from './audit/member-rules.ts'
import { ledgerPartitions, type Partition } from './audit/partition-legs.ts'
import { AUDIT_SETTINGS } from './audit/settings.ts'

/** A broken rule of the economy and the rows that break it, at most ten; all values are text. */
export type AuditProblem = { rule: string; rows: Record<string, string | null>[] }

/** Rules that one statement checks, because they share what it reads. */
type AuditStep = {
  rules: Record<string, string>
  /** Common table expressions that the rules read, given the ledger's partitions. */
  tables?: (partitions: Partition[]) => string
}

/** The short one first: its connection then takes the third. */
const STEPS: Record<string, AuditStep> = {
  'members and sessions': { rules: MEMBER_RULES },
  'balances and sums': { rules: BALANCE_RULES, tables: balanceTables },
  'what ledger rows pay for': { rules: FACT_RULES, tables: factTables },
}

/** Names of all audited rules. */
export const AUDITED_RULES = Object.values(STEPS).flatMap(({ rules }) => Object.keys(rules))

/** One row for each offending row: its rule and its columns as text, so that money stays exact. */
function stepSql({ rules, tables }: AuditStep, partitions: Partition[]): string {
  const selects = Object.entries(rules).map(
    ([rule, sql]) => `
      select '${rule}' as rule,
        (select jsonb_object_agg(key, value) from jsonb_each_text(to_jsonb(p))) as row
      from (select * from (${sql}) found limit 10) p`,
  )
  return `${tables ? `with ${tables(partitions)}` : ''} ${selects.join(' union all ')}`
}

async function check(tx: Tx, sql: string): Promise<AuditProblem[]> {
  const { rows }: { rows: { rule: string; row: AuditProblem['rows'][number] }[] } =
    await tx.raw(sql)
  const problems = new Map<string, AuditProblem>()
  for (const { rule, row } of rows) {
    const problem: AuditProblem = problems.get(rule) ?? { rule, rows: [] }
    problem.rows.push(row)
    problems.set(rule, problem)
  }
  return [...problems.values()]
}

async function runStep(db: Db, step: AuditStep): Promise<AuditProblem[]> {
  return db.transaction(
    async (tx) => {
      // Before the snapshot: one that is older than a merge of partitions would miss their rows.
      await tx.raw('lock table wallet_activity in access share mode')
      await tx.raw(AUDIT_SETTINGS)
      return check(tx, stepSql(step, await ledgerPartitions(tx)))
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
}

/**
 * Checks the rules of the economy for every wallet, each rule in one snapshot of the database; safe
 * to run while the product is in use. Uses two connections at a time if the pool has them.
 * @param done called after each step with its name and its time in ms
 */
export async function audit(
  db: Db,
  done: (step: string, ms: number) => void = () => {},
): Promise<{ wallets: number; problems: AuditProblem[] }> {
  const found = await Promise.all(
    Object.entries(STEPS).map(async ([name, step]) => {
      const start = performance.now()
      const problems = await runStep(db, step)
      done(name, performance.now() - start)
      return problems
    }),
  )
  const { rows } = await db.raw('select count(*) as count from wallets')
  return { wallets: Number(rows[0].count), problems: found.flat() }
}
