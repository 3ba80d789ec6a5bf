import type { Db, Tx } from '#db/postgres/statements/transaction'

/** Most rows that an audit reads of a broken rule. */
export const MOST_ROWS = 10

/** A broken rule and rows that break it, `MOST_ROWS` at most of a rule of the economy. All values are text, so that money stays exact. */
export type AuditProblem = { rule: string; rows: Record<string, string | null>[] }

/** Rules that one statement checks, because they share what it reads. */
export type AuditStep = {
  rules: Record<string, string>
  /** CTEs of the rules, with a query for each partition: Postgres groups it in little memory and the CPU's cache. */
  tables?: (partitions: Partition[]) => string
}

function stepSql({ rules, tables }: AuditStep, partitions: Partition[]): string {
  const selects = Object.entries(rules).map(
    ([rule, sql]) => `
      select '${rule}' as rule, jsonb_agg(
        (select jsonb_object_agg(key, value) from jsonb_each_text(to_jsonb(p)))) as rows
      from (select * from (${sql}) found limit ${MOST_ROWS}) p having count(*) > 0`,
  )
  return `${tables ? `with ${tables(partitions)}` : ''} ${selects.join(' union all ')}`
}

/** The rules of a step that do not hold. */
export async function checkStep(
  tx: Tx,
  step: AuditStep,
  partitions: Partition[],
): Promise<AuditProblem[]> {
  return (await tx.raw(stepSql(step, partitions))).rows
}

/** A partition of the ledger: its name, quoted for SQL, and whether it may hold rolled-up rows. */
export type Partition = { name: string; isRolledUp: boolean }

/**
 * Callers hold a lock on the ledger, so that the list stays true. Days are rolled up before they are merged, so a
 * longer partition may hold rolled-up rows (decision 20).
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
 * For the transaction of a step. 64 MB hold the groups of a partition with a million rows; more spill to disk. No
 * parallel workers: steps run side by side, and credits need the rest. No nested loops: because of the limit of ten
 * rows Postgres would join row by row, and read one side for each row of the other if no row breaks the rule.
 */
export const AUDIT_SETTINGS = `
  set local statement_timeout = 0;
  set local jit = off;
  set local work_mem = '64MB';
  set local max_parallel_workers_per_gather = 0;
  set local enable_nestloop = off`
