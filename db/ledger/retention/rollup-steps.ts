import { engineOf } from '#db/engine/engine'
import { olderSnapshotExists } from '#db/ledger/partition-swap'
import { assertSealedDays } from '#db/ledger/seals/check-day'
import { type Step, takeNext, takeStep, takeSteps } from '#db/ledger/steps'
import { useBatchSettings } from '#db/postgres/statements/batch-settings'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { type LedgerPartition, partitionToRollUp } from './ledger-partition.ts'
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
/** A row of `ledger_rollups`; with no passes if the partition has none. */
type State = { partition: LedgerPartition } & Row
const NOT_BEGUN: Row = {
  passes: 0,
  rolledPasses: 0,
  isIndexed: false,
  verifiedPasses: 0,
  isSealChecked: false,
  copiedBy: '',
}

const STEPS: Step<State, Exclude<RollupStep, 'waiting'>>[] = [
  {
    name: 'begun',
    isNext: ({ passes }) => passes === 0,
    take: (tx, { partition }) => beginRollup(tx, partition),
  },
  {
    name: 'rolled',
    isNext: ({ passes, rolledPasses }) => rolledPasses < passes,
    take: (tx, { partition, passes, rolledPasses }) =>
      rollUpPass(tx, partition, { passes, pass: rolledPasses }),
  },
  {
    name: 'indexed',
    isNext: ({ isIndexed }) => !isIndexed,
    take: async (tx, { partition }) => {
      await useBatchSettings(tx)
      await indexRollup(tx, partition)
    },
  },
  {
    name: 'verified',
    isNext: ({ passes, verifiedPasses }) => verifiedPasses < passes,
    take: (tx, { partition, passes, verifiedPasses }) =>
      verifyPass(tx, partition, { passes, pass: verifiedPasses }),
  },
  {
    // The last time that single rows are compared with their seals: what is rolled up is sealed again.
    name: 'checked',
    isNext: ({ isSealChecked }) => !isSealChecked,
    take: async (tx, { partition }) => {
      await useBatchSettings(tx)
      await assertSealedDays(tx, partition)
      const rollup = tx('ledger_rollups').where({ partition: partition.name })
      await rollup.update({ isSealChecked: true })
    },
  },
  {
    name: 'swapped',
    isNext: () => true,
    take: async (tx, { partition, copiedBy }) => {
      if (await olderSnapshotExists(tx, copiedBy)) return false
      return swapRollup(tx, partition)
    },
  },
]

async function readState(tx: Tx, partition: LedgerPartition): Promise<State> {
  const row = await tx('ledger_rollups').where({ partition: partition.name }).first()
  return { ...NOT_BEGUN, ...row, partition }
}

/** `rollUpStep` on plain PostgreSQL: a table that takes the place of the partition. */
export const postgresRollUpStep = (db: Db, detailDays: number): Promise<RollupStep | undefined> =>
  takeStep(db, 'roll up credits', async (tx) => {
    const partition = await partitionToRollUp(tx, detailDays)
    return partition && takeNext(tx, await readState(tx, partition), STEPS)
  })

/**
 * Takes the next step of rolling up the credits of the oldest partition that is older than
 * `detailDays` (decision 20).
 * @returns undefined when nothing is left to roll up
 * @throws an error if a roll-up differs from its partition, which stays
 */
export async function rollUpStep(db: Db, detailDays: number): Promise<RollupStep | undefined> {
  return (await engineOf(db)).rollUpStep(db, detailDays)
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
