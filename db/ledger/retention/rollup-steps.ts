import { shardRollUpStep } from '#db/ledger/citus/retention/rollup-steps'
import { olderSnapshotExists } from '#db/ledger/partition-merges/older-snapshot'
import { assertSealedDays } from '#db/ledger/seals/assert-sealed'
import { lockedStep, takeSteps } from '#db/ledger/steps'
import { isDistributed } from '#db/postgres/connection/layout'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { beginRollup } from './begin-rollup.ts'
import { type LedgerPartition, partitionToRollUp } from './ledger-partition.ts'
import { rollUpPass } from './rollup-pass.ts'
import { indexRollup, swapRollup } from './swap-rollup.ts'
import { verifyPass } from './verify-pass.ts'

/** What a step did; `waiting` if it has to be tried again later. */
export type RollupStep =
  | 'begun'
  | 'rolled'
  | 'indexed'
  | 'verified'
  | 'checked'
  | 'swapped'
  | 'waiting'

type RollupState = {
  passes: number
  rolledPasses: number
  isIndexed: boolean
  verifiedPasses: number
  isSealChecked: boolean
  copiedBy: string
}

/** The last time that single rows are compared with their seals: what is rolled up is sealed again. */
async function checkSeals(tx: Tx, partition: LedgerPartition): Promise<void> {
  await assertSealedDays(tx, partition)
  await tx('ledger_rollups').where({ partition: partition.name }).update({ isSealChecked: true })
}

async function stepOf(tx: Tx, partition: LedgerPartition): Promise<RollupStep> {
  const state: RollupState | undefined = await tx('ledger_rollups')
    .where({ partition: partition.name })
    .first()
  if (!state) {
    await beginRollup(tx, partition)
    return 'begun'
  }
  const { passes, rolledPasses, isIndexed, verifiedPasses, isSealChecked, copiedBy } = state
  if (rolledPasses < passes) {
    await rollUpPass(tx, partition, { passes, pass: rolledPasses })
    return 'rolled'
  }
  if (!isIndexed) {
    await useBatchSettings(tx)
    await indexRollup(tx, partition)
    return 'indexed'
  }
  if (verifiedPasses < passes) {
    await verifyPass(tx, partition, { passes, pass: verifiedPasses })
    return 'verified'
  }
  if (!isSealChecked) {
    await useBatchSettings(tx)
    await checkSeals(tx, partition)
    return 'checked'
  }
  if (await olderSnapshotExists(tx, copiedBy)) return 'waiting'
  await swapRollup(tx, partition)
  return 'swapped'
}

/**
 * Takes the next step of rolling up the credits of the oldest partition that is older than
 * `detailDays` (decision 20).
 * @returns undefined when nothing is left to roll up
 * @throws an error if a roll-up differs from its partition, which stays
 */
export async function rollUpStep(db: Db, detailDays: number): Promise<RollupStep | undefined> {
  if (await isDistributed(db)) return shardRollUpStep(db, detailDays)
  return lockedStep(db, async (tx) => {
    const partition = await partitionToRollUp(tx, detailDays)
    return partition && stepOf(tx, partition)
  })
}

/**
 * Takes steps until nothing is left to roll up, one has to wait, or `goOn` is false.
 * @returns the number of partitions that were rolled up
 */
export async function rollUpLedger(
  db: Db,
  detailDays: number,
  goOn: () => boolean = () => true,
): Promise<number> {
  const taken = await takeSteps(() => rollUpStep(db, detailDays), goOn)
  return taken.filter((step) => step === 'swapped').length
}
