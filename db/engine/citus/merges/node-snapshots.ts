import type { Merge } from '#db/ledger/partition-merges/next-merge'
import type { Tx } from '#db/postgres/statements/transaction'

/** The first transaction id of each node that snapshots taken from now on do not see, by node. */
export type SeenFrom = Record<string, string>

type Answer = { nodeid: number; success: boolean; result: string }

/** @throws an error if a node does not answer */
async function askNodes(tx: Tx, sql: string): Promise<[node: string, answer: string][]> {
  const { rows }: { rows: Answer[] } = await tx.raw('select * from run_command_on_all_nodes(?)', [
    sql,
  ])
  return rows.map(({ nodeid, success, result }) => {
    if (!success) throw new Error(`node ${nodeid} of Citus: ${result}`)
    return [String(nodeid), result]
  })
}

const PREPARED_SQL = `
  select exists (select from pg_prepared_xacts where database = current_database())`

/** Whether a transaction has committed on the coordinator, or may have, and not on some node yet. */
export async function isCommitPending(tx: Tx): Promise<boolean> {
  const answers = await askNodes(tx, PREPARED_SQL)
  return answers.some(([, isPending]) => isPending === 't')
}

/** On each node, the transaction id from which on snapshots see all that is committed now. */
export async function seenFromNow(tx: Tx): Promise<SeenFrom> {
  return Object.fromEntries(await askNodes(tx, 'select pg_snapshot_xmax(pg_current_snapshot())'))
}

/** As `olderSnapshotExists`: whether a snapshot from before the id of the node is in use there. */
const olderSql = (seenFrom: SeenFrom) => `
  select coalesce(bool_or(age(a.backend_xmin) > age(x.id)), false)
  from pg_stat_activity a, (
    select ('${JSON.stringify(seenFrom)}'::jsonb ->> n.nodeid::text)::xid8::xid as id
    from pg_dist_local_group join pg_dist_node n using (groupid) where n.noderole = 'primary'
  ) x
  where a.datname = current_database() and a.pid <> pg_backend_pid()
    and a.backend_type <> 'autovacuum worker'`

/**
 * Whether every snapshot that is in use on a node sees the rows that were copied there. A reader of one
 * snapshot takes it on each node with the first statement there. If a node has joined since, the month
 * is verified again.
 */
export async function isSeenOnNodes(tx: Tx, { into }: Merge): Promise<boolean> {
  const merge = () => tx('ledger_merges').where({ month: into.name })
  const { seenFrom }: { seenFrom: SeenFrom } = await merge().first('seenFrom')
  const answers = await askNodes(tx, olderSql(seenFrom))
  if (answers.some(([node]) => !(node in seenFrom))) {
    await merge().update({ verified: false })
    return false
  }
  return answers.every(([, isOlder]) => isOlder === 'f')
}
