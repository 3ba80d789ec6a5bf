import { rangesToSweep } from '#db/engine/citus/sweep'
import { type LedgerPartition, partitionToRollUp } from '#db/ledger/retention/ledger-partition'
import { assertSealedDays } from '#db/ledger/seals/assert-sealed'
import { takeStep } from '#db/ledger/steps'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import type { BucketRange } from '#rules/buckets'
import { correctedOfShard } from './corrected-members.ts'
import { rewriteShards } from './rewrite-shards.ts'
import { rollUpRows, unknownSessions } from './roll-up-shard.ts'
import { differingMember, readFigures } from './shard-figures.ts'

/** What a step did; `written` if the rows of every shard are rolled up and their space is not freed. */
export type ShardRollupStep = 'begun' | 'checked' | 'rolled' | 'written' | 'swapped' | 'waiting'

type State = { passes: number; rolledPasses: number; isSealChecked: boolean }

/** Another process took the step that the snapshot of this one did not see. */
const SERIALIZATION_FAILURE = '40001'

const WORK = 'roll up credits'

const rollup = (db: Db, { name }: LedgerPartition) =>
  db('ledger_rollups').where({ partition: name })
const sizeOf = (db: Db, { name }: LedgerPartition) =>
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

/**
 * Rolls up a partition on one shard and proves wallet by wallet that its rows stand for those before.
 * @throws an error if they do not; the transaction leaves the rows as they were
 */
async function rollUpShard(tx: Tx, partition: LedgerPartition, range: BucketRange): Promise<void> {
  const { name, from } = partition
  const unknown = await unknownSessions(tx)
  const corrected = await correctedOfShard(tx, range, from)
  // The settings of this transaction hold on the node too.
  await tx.raw(`set local citus.propagate_set_commands = 'local'`)
  await useBatchSettings(tx)
  const before = await readFigures(tx, name, range)
  await rollUpRows(tx, name, range, { unknown, corrected })
  const member = differingMember(before, await readFigures(tx, name, range))
  if (member === undefined) return
  throw new Error(`the roll-up of ${name} differs for member ${member}; the partition stays`)
}

async function stepOf(tx: Tx, partition: LedgerPartition): Promise<ShardRollupStep> {
  const ranges = await rangesToSweep(tx)
  const state: State = await rollup(tx, partition).first()
  if (!state.isSealChecked) {
    await useBatchSettings(tx)
    await assertSealedDays(tx, partition)
    await rollup(tx, partition).update({ isSealChecked: true })
    return 'checked'
  }
  // Other ranges than at the beginning: all of them again, which leaves what is rolled up.
  const isSame = state.passes === ranges.length
  const pass = isSame ? state.rolledPasses : 0
  const range = ranges[pass]
  if (!range) return 'written'
  await rollUpShard(tx, partition, range)
  const done = { rolledPasses: pass + 1, verifiedPasses: pass + 1 }
  await rollup(tx, partition).update({ passes: ranges.length, ...done })
  return 'rolled'
}

/** The rows of one snapshot: those that arrive meanwhile are neither read nor compared. */
const SNAPSHOT = { isolationLevel: 'repeatable read' } as const

/** `rollUpStep` on Citus: a transaction for each partition and shard (decision 29). */
export async function shardRollUpStep(
  db: Db,
  detailDays: number,
): Promise<Exclude<ShardRollupStep, 'written'> | undefined> {
  try {
    const partition = await partitionToRollUp(db, detailDays)
    if (!partition) return undefined
    if (!(await rollup(db, partition).first())) {
      return await takeStep(db, WORK, (tx) => begin(tx, detailDays))
    }
    const step = await takeStep(db, WORK, (tx) => stepOf(tx, partition), SNAPSHOT)
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
