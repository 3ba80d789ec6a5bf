import type { Period } from '#db/postgres/schema/partition-period'
import type { Tx } from '#db/postgres/statements/transaction'
import { copyChunk, createMonth, mirrorSource, verifyMonth } from './copy-source.ts'
import type { Merge } from './next-merge.ts'
import { isSeenByAll, swapMonth } from './swap-month.ts'

/** The statements of each step of a merge; plain Postgres and Citus have their own (decision 29). */
export type MergeSql = {
  /** Creates the table of a month beside the ledger. */
  createMonth(tx: Tx, into: Period): Promise<void>
  /** From the end of the transaction on, rows that arrive in `source` are written into the month too. */
  mirrorSource(tx: Tx, source: string, into: Period): Promise<void>
  /** Copies the next part of a mirrored source, and records that in the same transaction. */
  copyChunk(tx: Tx, source: string, into: Period): Promise<void>
  /** Compares the sources with their month. @returns false if that has to be tried again later */
  verifyMonth(tx: Tx, merge: Merge): Promise<boolean>
  /** Whether every snapshot in use sees the rows that were copied into the month. */
  isSeenByAll(tx: Tx, merge: Merge): Promise<boolean>
  /** Puts the month in the place of its sources. */
  swapMonth(tx: Tx, merge: Merge): Promise<void>
}

export const postgresMerge: MergeSql = {
  createMonth,
  mirrorSource,
  copyChunk,
  verifyMonth,
  isSeenByAll,
  swapMonth,
}
