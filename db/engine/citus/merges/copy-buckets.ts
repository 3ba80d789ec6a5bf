import { createMonth, ledgerColumns } from '#db/ledger/partition-merges/copy-source'
import type { Period } from '#db/postgres/schema/partition-period'
import { identifyRows } from '#db/postgres/schema/replica-identity'
import type { Tx } from '#db/postgres/statements/transaction'
import { BUCKETS } from '#rules/buckets'
import { waitBrieflyOnNodes } from './shard-locks.ts'

/** Bytes, without indexes, of a source on all nodes that one transaction copies. */
const CHUNK_BYTES = 64 * 1024 ** 2

/** Creates the table of a month on every node, beside the shards of the ledger with the same buckets. */
export async function createShardedMonth(tx: Tx, into: Period): Promise<void> {
  await createMonth(tx, into)
  await identifyRows(tx, into.name)
  await tx.raw(`select create_distributed_table(?, 'bucket', colocate_with => 'wallet_activity')`, [
    into.name,
  ])
}

/**
 * Creates the trigger on every shard of the source. Citus refuses triggers unless a setting allows them,
 * because they may reach rows of other nodes; this one does not. A move or a split of a shard keeps it.
 */
export async function mirrorShards(tx: Tx, source: string, into: Period): Promise<void> {
  await waitBrieflyOnNodes(tx)
  await tx.raw('set local citus.enable_unsafe_triggers = on')
  await tx.raw(
    `create trigger mirror_ledger_row after insert or update or delete on ??
       for each row execute function mirror_row_on_shard('${into.name}')`,
    [source],
  )
  await tx('ledger_merges').insert({ day: source, month: into.name })
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

/**
 * Copies the next buckets of a mirrored source on every node; `nextPage` is the first one. Pages would be
 * others after a move of a shard.
 */
export async function copyBuckets(tx: Tx, source: string, into: Period): Promise<void> {
  const { nextPage: first } = await tx('ledger_merges').where({ day: source }).first('nextPage')
  const { rows } = await tx.raw('select citus_relation_size(?::regclass) as bytes', [source])
  const end = first + bucketsOfChunk(rows[0].bytes)
  await tx.raw(await copySql(tx, source, into, [first, end]))
  const copiedBy = end < BUCKETS ? null : tx.raw('pg_current_xact_id()')
  await tx('ledger_merges').where({ day: source }).update({ nextPage: end, copiedBy })
}
