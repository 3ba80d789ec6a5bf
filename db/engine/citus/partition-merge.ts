import {
  attachMonth,
  createMonth as createTable,
  ledgerColumns,
  mirrorSource as mirrorTable,
} from '#db/ledger/partition-merges/merge-sql'
import type { Merge } from '#db/ledger/partition-merges/next-merge'
import type { Period } from '#db/ledger/partitions'
import { LOCK_TIMEOUT } from '#db/ledger/steps'
import { withoutTimeLimit } from '#db/postgres/statements/batch-settings'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { BUCKETS } from '#rules/buckets'

/** The steps of a merge on Citus (`MergeSql`): those of plain Postgres, on every shard (decision 29). */

const UNIQUE_INDEX_SQL = `
  select i.relname as index from pg_index join pg_class i on i.oid = indexrelid
  where indrelid = ?::regclass and indisunique`

const WITHOUT_IDENTITY_SQL = `
  select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
  where inhparent = 'wallet_activity'::regclass and c.relreplident = 'd'`

/** Logical replication finds a changed row of the table by its unique index. */
async function identifyRows(tx: Tx, table: string): Promise<void> {
  const { rows } = await tx.raw(UNIQUE_INDEX_SQL, [table])
  await tx.raw('alter table ?? replica identity using index ??', [table, rows[0].index])
}

/** Without a replica identity (a partition has no primary key) Citus cannot move shards while members are served. */
export async function identifyPartitions(db: Db): Promise<void> {
  const { rows } = await db.raw(WITHOUT_IDENTITY_SQL)
  for (const { name } of rows) {
    await db.transaction(async (tx) => {
      await tx.raw(`set local lock_timeout = '2s'`)
      await identifyRows(tx, name)
    })
  }
}

/** Settings of the transaction, among them the longest wait for a lock, hold on the nodes too. */
async function waitBrieflyOnNodes(tx: Tx): Promise<void> {
  await tx.raw(`
    set local citus.propagate_set_commands = 'local';
    set local lock_timeout = '${LOCK_TIMEOUT}'`)
}

/** The first transaction id of each node that snapshots taken from now on do not see, by node. */
type SeenFrom = Record<string, string>

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

const preparedSql = (leastAgeS: number) => `
  select exists (select from pg_prepared_xacts where database = current_database()
    and prepared <= clock_timestamp() - interval '${leastAgeS} seconds')`

/** Whether a transaction has committed on the coordinator, or may have, but not on some node for `leastAgeS`. */
async function isCommitPending(tx: Tx, leastAgeS = 0): Promise<boolean> {
  const answers = await askNodes(tx, preparedSql(leastAgeS))
  return answers.some(([, isPending]) => isPending === 't')
}

/** Age from which a prepared transaction is one that a fault holds up; healthy ones live for milliseconds. */
const FAULT_S = 10

/** Whether a fault has kept a commit from a node; the maintenance daemon of Citus completes it. */
export const isCommitInDoubt = (tx: Tx) => isCommitPending(tx, FAULT_S)

async function seenFromNow(tx: Tx): Promise<SeenFrom> {
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
    and a.usesysid is not null`

/**
 * Whether every snapshot in use on a node sees the rows copied there; a reader takes its snapshot of a node with the
 * first statement there. If a node has joined since, the month is verified again.
 */
export async function isSeenByAll(tx: Tx, { into }: Merge): Promise<boolean> {
  const merge = () => tx('ledger_merges').where({ month: into.name })
  const { seenFrom }: { seenFrom: SeenFrom } = await merge().first('seenFrom')
  const answers = await askNodes(tx, olderSql(seenFrom))
  if (answers.some(([node]) => !(node in seenFrom))) {
    await merge().update({ verified: false })
    return false
  }
  return answers.every(([, isOlder]) => isOlder === 'f')
}

/** Bytes, without indexes, of a source on all nodes that one transaction copies. */
const CHUNK_BYTES = 64 * 1024 ** 2

/** As on plain Postgres, then on the shards. */
export async function createMonth(tx: Tx, into: Period): Promise<void> {
  await createTable(tx, into)
  await identifyRows(tx, into.name)
  await tx.raw(`select create_distributed_table(?, 'bucket', colocate_with => 'wallet_activity')`, [
    into.name,
  ])
}

/** Citus refuses triggers that may reach other nodes; this one does not. A move or split of a shard keeps it. */
export async function mirrorSource(tx: Tx, source: string, into: Period): Promise<void> {
  await waitBrieflyOnNodes(tx)
  await tx.raw('set local citus.enable_unsafe_triggers = on')
  await mirrorTable(tx, source, into, 'mirror_row_on_shard')
}

/** Buckets of a source of that size that are copied together, at least one. */
export const bucketsOfChunk = (bytes: number): number =>
  Math.ceil((BUCKETS * CHUNK_BYTES) / Math.max(bytes, CHUNK_BYTES))

/** The rows of the buckets, without those that are in the month: late ones, and those of a lost commit. */
export async function copySql(
  tx: Tx,
  source: string,
  into: Period,
  [first, end]: [first: number, end: number],
): Promise<string> {
  const columns = await ledgerColumns(tx)
  return `
    insert into "${into.name}" (${columns}) select ${columns} from "${source}"
    where bucket >= ${first} and bucket < ${end} on conflict do nothing`
}

/** `nextPage` is the first bucket to copy: pages would be others after a move of a shard. */
export async function copyChunk(tx: Tx, source: string, into: Period): Promise<void> {
  const { nextPage: first } = await tx('ledger_merges').where({ day: source }).first('nextPage')
  const { rows } = await tx.raw('select citus_relation_size(?::regclass) as bytes', [source])
  const end = first + bucketsOfChunk(rows[0].bytes)
  await withoutTimeLimit(tx)
  await tx.raw(await copySql(tx, source, into, [first, end]))
  const copiedBy = end < BUCKETS ? null : tx.raw('pg_current_xact_id()')
  await tx('ledger_merges').where({ day: source }).update({ nextPage: end, copiedBy })
}

/** Counts the buckets that differ between sources and month; each node compares its own, in one snapshot. */
export async function differingSql(tx: Tx, { into, sources }: Merge): Promise<string> {
  const columns = await ledgerColumns(tx)
  const figures = `bucket, count(*) as rows, sum(amount) as amount,
    sum(hashtextextended(row(${columns})::text, 0)) as hash`
  const sourceRows = sources.map((name) => `select ${columns} from "${name}"`).join(' union all ')
  return `
    select count(*) as buckets from
      (select ${figures} from (${sourceRows}) r group by bucket) s
      full join (select ${figures} from "${into.name}" group by bucket) i on i.bucket = s.bucket
    where (s.rows, s.amount, s.hash) is distinct from (i.rows, i.amount, i.hash)`
}

/**
 * As on plain Postgres. It waits for transactions that a fault keeps from a node, because their rows would be missing,
 * and records from where on snapshots see every row.
 */
export async function verifyMonth(tx: Tx, merge: Merge): Promise<boolean> {
  if (await isCommitPending(tx)) return false
  const seenFrom = await seenFromNow(tx)
  await withoutTimeLimit(tx)
  await tx.raw('set local citus.max_adaptive_executor_pool_size = 1')
  const { rows } = await tx.raw(await differingSql(tx, merge))
  const { name } = merge.into
  if (rows[0].buckets > 0) throw new Error(`${name} differs from its days; they stay as they are`)
  await tx('ledger_merges').where({ month: name }).update({ verified: true, seenFrom })
  return true
}

/** Moves rows of the month from the default partition; Citus does that in two statements. */
async function moveStrayRows(tx: Tx, { into }: Merge): Promise<void> {
  const columns = await ledgerColumns(tx)
  const isOfSpan = `"createdAt" >= '${into.from}' and "createdAt" < '${into.to}'`
  await tx.raw(
    `insert into ?? (${columns}) select ${columns} from wallet_activity_default where ${isOfSpan}`,
    [into.name],
  )
  await tx.raw(`delete from wallet_activity_default where ${isOfSpan}`)
}

/**
 * As on plain Postgres. The drop of the sources locks the ledger on the coordinator, then shard by shard, with the same
 * short wait for each. Detaching them before would take twice as long.
 */
export async function swapMonth(tx: Tx, merge: Merge): Promise<void> {
  await waitBrieflyOnNodes(tx)
  await tx.raw(`drop table ${merge.sources.map(() => '??').join(', ')}`, merge.sources)
  await moveStrayRows(tx, merge)
  await attachMonth(tx, merge)
}
