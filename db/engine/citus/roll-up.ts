import { PartitionDiffers, type Period } from '#db/ledger/partitions'
import { partitionToRollUp } from '#db/ledger/retention/ledger-partition'
import type { RollupStep } from '#db/ledger/retention/rollup-steps'
import { assertSealedDays } from '#db/ledger/seals/check-day'
import { ROLLUP_OF_DAY } from '#db/ledger/seals/seal-chain'
import { takeStep } from '#db/ledger/steps'
import { withOwnConnection } from '#db/postgres/connection/pool'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { correctedOfShard, differingMember, readFigures, rollUpRows } from './roll-up-shard.ts'
import { rangesToSweep } from './sweep.ts'

/** Rows are rolled up once their seals are checked. */
const SQL = `
  select from ledger_rollups where "swappedAt" is null and "isSealChecked" and ${ROLLUP_OF_DAY}`

/** Whether a day (`2026-11-21`) is rolled up on some shards only; after the last one it is sealed again. */
export async function isPartlyRolledUp(tx: Tx, day: string): Promise<boolean> {
  const { rows } = await tx.raw(SQL, { day })
  return rows.length > 0
}

async function filesOf(db: Db, table: string): Promise<Map<string, string>> {
  const { rows }: { rows: { shardid: string; result: string }[] } = await db.raw(
    `select shardid::text, result from run_command_on_shards(?, 'select pg_relation_filenode(%L)')`,
    [table],
  )
  return new Map(rows.map(({ shardid, result }) => [shardid, result]))
}

/**
 * Gives the space of deleted rows back to the disk; false if a shard was in use and left out. A shard is locked while
 * it is rewritten; reads of its members' activity wait for that.
 */
async function rewriteShards(db: Db, table: string): Promise<boolean> {
  const before = await filesOf(db, table)
  await withOwnConnection(db, (client) =>
    client.query(`vacuum (full, skip_locked, analyze) ${client.escapeIdentifier(table)}`),
  )
  const after = await filesOf(db, table)
  return [...before].every(([shard, file]) => after.get(shard) !== file)
}

type Row = { passes: number; rolledPasses: number; isSealChecked: boolean }

/** Another process took the step that the snapshot of this one did not see. */
const SERIALIZATION_FAILURE = '40001'

const WORK = 'roll up credits'

const rollup = (db: Db, { name }: Period) => db('ledger_rollups').where({ partition: name })
const sizeOf = (db: Db, { name }: Period) =>
  db.raw('citus_total_relation_size(?::regclass)', [name])

/** Its statements see what a merge has committed before: a partition that is being merged is not due. */
async function begin(tx: Tx, detailDays: number): Promise<'begun' | undefined> {
  const partition = await partitionToRollUp(tx, detailDays)
  if (!partition) return undefined
  const { length: passes } = await rangesToSweep(tx)
  await tx('ledger_rollups')
    .insert({ partition: partition.name, passes, bytesBefore: sizeOf(tx, partition) })
    .onConflict()
    .ignore()
  return 'begun'
}

/** @throws {PartitionDiffers} if the rows do not, wallet by wallet, stand for those before, which then stay */
async function rollUpShard(tx: Tx, partition: Period, range: BucketRange): Promise<void> {
  const { name, from } = partition
  const corrected = await correctedOfShard(tx, range, from)
  // The settings of this transaction hold on the node too.
  await tx.raw(`set local citus.propagate_set_commands = 'local'`)
  await useBatchSettings(tx)
  const before = await readFigures(tx, name, range)
  await rollUpRows(tx, name, range, corrected)
  const member = differingMember(before, await readFigures(tx, name, range))
  if (member === undefined) return
  const text = `the roll-up of ${name} differs for member ${member}; the partition stays`
  throw new PartitionDiffers(name, 'roll-up', text)
}

/** `written`: every shard is rolled up, and its space is not freed yet. */
async function takeNext(tx: Tx, partition: Period): Promise<'checked' | 'rolled' | 'written'> {
  const ranges = await rangesToSweep(tx)
  const row: Row = await rollup(tx, partition).first()
  if (!row.isSealChecked) {
    await useBatchSettings(tx)
    await assertSealedDays(tx, partition)
    await rollup(tx, partition).update({ isSealChecked: true })
    return 'checked'
  }
  // The ranges have changed since: all of them again, which leaves what is rolled up.
  const rolledPasses = row.passes === ranges.length ? row.rolledPasses : 0
  const range = ranges[rolledPasses]
  if (!range) return 'written'
  await rollUpShard(tx, partition, range)
  const passes = { rolledPasses: rolledPasses + 1, verifiedPasses: rolledPasses + 1 }
  await rollup(tx, partition).update({ passes: ranges.length, ...passes })
  return 'rolled'
}

/** The rows of one snapshot: those that arrive meanwhile are neither read nor compared. */
const SNAPSHOT = { isolationLevel: 'repeatable read' } as const

/** `rollUpStep` on Citus: a transaction a shard (decision 29), the last step without one, because of VACUUM. */
export async function shardRollUpStep(db: Db, detailDays: number): Promise<RollupStep | undefined> {
  try {
    const partition = await partitionToRollUp(db, detailDays)
    if (!partition) return undefined
    if (!(await rollup(db, partition).first())) {
      return await takeStep(db, WORK, (tx) => begin(tx, detailDays))
    }
    const step = await takeStep(db, WORK, (tx) => takeNext(tx, partition), SNAPSHOT)
    if (step !== 'written') return step
    if (!(await rewriteShards(db, partition.name))) return 'waiting'
    const bytesAfter = sizeOf(db, partition)
    await rollup(db, partition).update({ swappedAt: db.fn.now(), bytesAfter })
    return 'swapped'
  } catch (error) {
    if (sqlState(error) === SERIALIZATION_FAILURE) return 'waiting'
    throw error
  }
}
