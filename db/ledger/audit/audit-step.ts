import type { Db, Tx } from '#db/postgres/statements/transaction'

/** A broken rule of the economy and the rows that break it, at most ten; all values are text. */
export type AuditProblem = { rule: string; rows: Record<string, string | null>[] }

/** Called after each step of an audit with its name and its time in ms. */
export type AuditProgress = (step: string, ms: number) => void

/** Rules that one statement checks, because they share what it reads. */
export type AuditStep = {
  rules: Record<string, string>
  /**
   * Common table expressions that the rules read. They query each of the ledger's partitions by itself: Postgres
   * sorts and groups one partition at a time, in little memory and in the CPU's cache.
   */
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

/** A partition of the ledger: its name, quoted for SQL, and whether it may hold rolled-up rows. */
export type Partition = { name: string; isRolledUp: boolean }

/**
 * The ledger's partitions; hold a lock on the ledger so that the list stays true. Days are rolled up
 * before they are merged, so a longer partition may hold rolled-up rows (decision 20).
 */
export async function ledgerPartitions(db: Db): Promise<Partition[]> {
  const { rows } = await db.raw(
    `select inhrelid::regclass::text as name, c.relname ~ '_[0-9]{3,7}$' or exists (
       select from ledger_rollups r where r.partition = c.relname and r."swappedAt" is not null
     ) as "isRolledUp"
     from pg_inherits join pg_class c on c.oid = inhrelid
     where inhparent = 'wallet_activity'::regclass order by 1`,
  )
  return rows
}

/**
 * For the transaction of one step. 64 MB hold the groups of a partition with a million rows; more are
 * written to temporary files. No parallel workers: the steps run side by side, and credits need the
 * rest. No nested loops: each rule asks for at most ten rows, so Postgres expects to find them early and
 * would join row by row; where no row breaks the rule, it would read one side for each row of the other.
 */
export const AUDIT_SETTINGS = `
  set local statement_timeout = 0;
  set local jit = off;
  set local work_mem = '64MB';
  set local max_parallel_workers_per_gather = 0;
  set local enable_nestloop = off`
