import {
  AUDIT_SETTINGS,
  type AuditProblem,
  checkStep,
  MOST_ROWS,
} from '#db/ledger/audit/audit-step'
import { BALANCE_RULES, balanceTables } from '#db/ledger/audit/balance-rules'
import { COUNTED, COUNTERS_RULE, FACT_RULES, factTables } from '#db/ledger/audit/fact-rules'
import { MEMBER_RULES, TASK_RULES, TEAM_RULES } from '#db/ledger/audit/member-rules'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { sum } from '#rules/money/money'
import { copyShard } from './shard-copy.ts'
import { rangesToSweep } from './sweep.ts'

/** Rules that seem broken are read that often before they are reported. */
const READS = 3

/** The ledger of a shard's copy is one table, which may hold rolled-up rows. */
const PARTITIONS = [{ name: 'wallet_activity', isRolledUp: true }]

/** `COUNTED` returns the sums of a shard; the rule itself compares the sums over all shards. */
const SHARD_STEPS = [
  { rules: MEMBER_RULES },
  { rules: BALANCE_RULES, tables: balanceTables },
  { rules: { ...FACT_RULES, [COUNTERS_RULE]: COUNTED }, tables: factTables },
]

type Row = AuditProblem['rows'][number]
type ShardAudit = { problems: AuditProblem[]; counted: Row[] }

/**
 * Reads in a snapshot. Rows that change meanwhile (a member registers, a task is claimed) may be in the snapshot of
 * the coordinator only, or of a node only, so what the first read reports is read again.
 */
async function readAgain<Found extends { problems: AuditProblem[] }>(
  db: Db,
  read: (tx: Tx) => Promise<Found>,
): Promise<Found> {
  for (let reads = 1; ; reads++) {
    const found = await db.transaction(
      async (tx) => {
        await tx.raw(AUDIT_SETTINGS)
        return read(tx)
      },
      { isolationLevel: 'repeatable read' },
    )
    if (found.problems.length === 0 || reads === READS) return found
  }
}

const auditRules = (db: Db, rules: Record<string, string>) =>
  readAgain(db, async (tx) => ({ problems: await checkStep(tx, { rules }, []) }))

const auditShard = (db: Db, range: BucketRange): Promise<ShardAudit> =>
  readAgain(db, async (tx) => {
    await copyShard(tx, range)
    const found: AuditProblem[] = []
    for (const step of SHARD_STEPS) found.push(...(await checkStep(tx, step, PARTITIONS)))
    const isCounted = ({ rule }: AuditProblem) => rule === COUNTERS_RULE
    return {
      problems: found.filter((problem) => !isCounted(problem)),
      counted: found.filter(isCounted).flatMap(({ rows }) => rows),
    }
  })

function compareCounters(counted: Row[]): AuditProblem[] {
  const total = (column: string) => sum(...counted.map((row) => row[column] ?? '0'))
  const names = ['sessions', 'realSessions', 'rate', 'realRate', 'rows', 'realRows']
  const totals = Object.fromEntries(names.map((name) => [name, total(name)]))
  const { sessions, realSessions, rate, realRate, rows, realRows } = totals
  if (sessions === realSessions && rate === realRate && rows === realRows) return []
  return [{ rule: COUNTERS_RULE, rows: [totals] }]
}

function joined(problems: AuditProblem[]): AuditProblem[] {
  const byRule = new Map<string, AuditProblem>()
  for (const { rule, rows } of problems) {
    const known = byRule.get(rule)?.rows ?? []
    byRule.set(rule, { rule, rows: [...known, ...rows].slice(0, MOST_ROWS) })
  }
  return [...byRule.values()]
}

/**
 * The audit on Citus, which plans few of its rules over several nodes: the rows of a shard are copied to the
 * coordinator in one snapshot of their node, and checked there, so it needs room for the ledger of one shard.
 */
export async function auditShards(db: Db): Promise<AuditProblem[]> {
  const teams = await auditRules(db, TEAM_RULES)
  // By itself, so that coordinator and nodes are read at almost the same time.
  const tasks = await auditRules(db, TASK_RULES)
  const shards: ShardAudit[] = []
  for (const range of await rangesToSweep(db)) shards.push(await auditShard(db, range))
  const problems = joined(shards.flatMap((shard) => shard.problems))
  return [
    ...teams.problems,
    ...tasks.problems,
    ...problems,
    ...compareCounters(shards.flatMap(({ counted }) => counted)),
  ]
}
