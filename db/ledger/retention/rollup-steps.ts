import { engineOf } from '#db/engine/engine'
import { olderSnapshotExists } from '#db/ledger/partition-swap'
import { PartitionDiffers, type Period } from '#db/ledger/partitions'
import { assertSealedDays } from '#db/ledger/seals/check-day'
import { takeStep, takeSteps } from '#db/ledger/steps'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { leaveOut, leftOut, partitionToRollUp } from './ledger-partition.ts'
import { rollUpPass, verifyPass } from './rollup-pass.ts'
import { beginRollup, indexRollup, swapRollup } from './rollup-table.ts'

/** What a step did; `waiting` if it has to be repeated later. */
export type RollupStep =
  | 'begun'
  | 'rolled'
  | 'indexed'
  | 'verified'
  | 'checked'
  | 'swapped'
  | 'waiting'

type Row = {
  passes: number
  rolledPasses: number
  isIndexed: boolean
  verifiedPasses: number
  isSealChecked: boolean
  copiedBy: string
}

async function takeNext(tx: Tx, partition: Period): Promise<RollupStep> {
  const rollup = () => tx('ledger_rollups').where({ partition: partition.name })
  const row: Row | undefined = await rollup().first()
  if (!row) {
    await beginRollup(tx, partition)
    return 'begun'
  }
  const { passes, rolledPasses, verifiedPasses } = row
  if (rolledPasses < passes) {
    await rollUpPass(tx, partition, { passes, pass: rolledPasses })
    return 'rolled'
  }
  if (!row.isIndexed) {
    await useBatchSettings(tx)
    await indexRollup(tx, partition)
    return 'indexed'
  }
  if (verifiedPasses < passes) {
    await verifyPass(tx, partition, { passes, pass: verifiedPasses })
    return 'verified'
  }
  if (!row.isSealChecked) {
    // The last time that single rows are compared with their seals: what is rolled up is sealed again.
    await useBatchSettings(tx)
    await assertSealedDays(tx, partition)
    await rollup().update({ isSealChecked: true })
    return 'checked'
  }
  if (await olderSnapshotExists(tx, row.copiedBy)) return 'waiting'
  await swapRollup(tx, partition)
  return 'swapped'
}

/** `rollUpStep` on plain PostgreSQL: a table that takes the place of the partition. */
export const postgresRollUpStep = (db: Db, detailDays: number): Promise<RollupStep | undefined> =>
  takeStep(db, 'roll up credits', async (tx) => {
    const partition = await partitionToRollUp(tx, detailDays)
    return partition && takeNext(tx, partition)
  })

/**
 * Takes the next step of rolling up the oldest partition older than `detailDays` (decision 20); undefined if none is.
 * @throws {PartitionDiffers} if a partition differs from its roll-up or its seals; it stays
 */
export async function rollUpStep(db: Db, detailDays: number): Promise<RollupStep | undefined> {
  return (await engineOf(db)).rollUpStep(db, detailDays)
}

/**
 * Takes steps until none is left, one has to wait, or `goOn` is false; returns the number of rolled-up partitions.
 * @throws an error in the end while a partition that differs is left out; it does not stop the others
 */
export async function rollUpLedger(
  db: Db,
  detailDays: number,
  goOn: () => boolean = () => true,
): Promise<number> {
  const step = async () => {
    try {
      return await rollUpStep(db, detailDays)
    } catch (error) {
      if (!(error instanceof PartitionDiffers)) throw error
      await leaveOut(db, error)
      return 'left out'
    }
  }
  const taken = await takeSteps(step, goOn)
  const problems = (await leftOut(db)).map(({ problem }) => problem)
  if (problems.length > 0) throw new Error(problems.join('; '))
  return taken.filter((step) => step === 'swapped').length
}
