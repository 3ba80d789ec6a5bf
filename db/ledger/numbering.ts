import type { Engine } from '#db/postgres/statements/bucket-statement'

/** SQL that gives a ledger row its place in the order of posting, `seq`. */
type Numbering = {
  /** Assignment of an update of wallets. */
  next: string
  /** What that update returns beside other columns. */
  returned: string
  /** The column, in a list of them. */
  column: string
  /** Null in its place. */
  absent: string
}

/** The sequence of the table is the default of the column. */
const BY_SEQUENCE: Numbering = { next: '', returned: '', column: '', absent: '' }

/** On Citus, whose nodes share no sequence, each wallet counts its postings. */
const BY_WALLET: Numbering = {
  next: ', "lastSeq" = "lastSeq" + 1',
  returned: ', "lastSeq" as seq',
  column: ', seq',
  absent: ', null',
}

export const NUMBERING: Record<Engine, Numbering> = { postgres: BY_SEQUENCE, citus: BY_WALLET }
