import type { Tx } from '#db/postgres/statements/transaction'
import type { Partition } from './partition-legs.ts'

/** A broken rule of the economy and the rows that break it, at most ten; all values are text. */
export type AuditProblem = { rule: string; rows: Record<string, string | null>[] }

/** Rules that one statement checks, because they share what it reads. */
export type AuditStep = {
  rules: Record<string, string>
  /** Common table expressions that the rules read, given the ledger's partitions. */
  tables?: (partitions: Partition[]) => string
}

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

/** The rules of a step that do not hold. */
export async function checkStep(
  tx: Tx,
  step: AuditStep,
  partitions: Partition[],
): Promise<AuditProblem[]> {
  const { rows }: { rows: { rule: string; row: AuditProblem['rows'][number] }[] } = await tx.raw(
    stepSql(step, partitions),
  )
  const problems = new Map<string, AuditProblem>()
  for (const { rule, row } of rows) {
    const problem: AuditProblem = problems.get(rule) ?? { rule, rows: [] }
    problem.rows.push(row)
    problems.set(rule, problem)
  }
  return [...problems.values()]
}
