import type { Seal } from './seal.ts'

/**
 * A ledger row with the proof that a seal contains it. It is complete: anybody who has it and the seal's
 * hash from elsewhere needs nothing from the server.
 */
export type Receipt = {
  format: 'tesp-receipt-1'
  /** The proved row, one of `rows`. */
  row: string
  /** All rows of the member on the sealed day, in the order of posting (`ROW_FIELDS`). */
  rows: string[]
  /** Hides the member's rows from those who hold a neighbour's receipt: 32 bytes in hex. */
  salt: string
  /** Position of the member in the tree, from 0. */
  index: number
  /** Audit path: sibling hashes from the member's leaf to the root, in hex. */
  path: string[]
  seal: Seal
}

/** What a row's text holds, separated by `|`. */
const ROW_FIELDS = [
  'id',
  'userId',
  'type',
  'tokenType',
  'amount',
  'balanceAfter',
  'createdAt',
  'seq',
] as const

/** A row of the ledger as its seal covers it; all fields are text, times are UTC. */
export type SealedRow = Record<(typeof ROW_FIELDS)[number], string>

/** The fields of a row's text; undefined if it has another number of fields. */
export function parseSealedRow(text: string): SealedRow | undefined {
  const values = text.split('|')
  if (values.length !== ROW_FIELDS.length) return undefined
  return Object.fromEntries(ROW_FIELDS.map((field, i) => [field, values[i]])) as SealedRow
}

/** The same text as SQL. The description is left out: an automatic credit stores none, and it may name people. */
export const SEALED_ROW_SQL = `concat_ws('|', id, "userId", type, "tokenType", amount, "balanceAfter",
  "createdAt" at time zone 'UTC', seq)`
