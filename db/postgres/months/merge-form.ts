import type { Tx } from '#db/postgres/statements/transaction'
import { copyChunk, createSpan, mirrorSource, verifySpan } from './copy-source.ts'
import type { Merge } from './next-merge.ts'
import type { Span } from './span.ts'
import { isSeenByAll, swapSpan } from './swap-span.ts'

/** The statements of each step of a merge; plain Postgres and Citus have their own (decision 29). */
export type MergeForm = {
  /** Creates the table of a span beside the ledger. */
  createSpan(tx: Tx, into: Span): Promise<void>
  /** From the end of the transaction on, rows that arrive in `source` are written into the span too. */
  mirrorSource(tx: Tx, source: string, into: Span): Promise<void>
  /** Copies the next part of a mirrored source, and records that in the same transaction. */
  copyChunk(tx: Tx, source: string, into: Span): Promise<void>
  /** Compares the sources with their span. @returns false if that has to be tried again later */
  verifySpan(tx: Tx, merge: Merge): Promise<boolean>
  /** Whether every snapshot in use sees the rows that were copied into the span. */
  isSeenByAll(tx: Tx, merge: Merge): Promise<boolean>
  /** Puts the span in the place of its sources. */
  swapSpan(tx: Tx, merge: Merge): Promise<void>
}

export const PLAIN_FORM: MergeForm = {
  createSpan,
  mirrorSource,
  copyChunk,
  verifySpan,
  isSeenByAll,
  swapSpan,
}
