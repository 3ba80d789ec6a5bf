import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { ActionDetails } from '#operators/actions/actions'
import type { Config } from '#runtime/config/config'

/** Options of all commands; a command reads those that its usage names. */
export type OpsOptions = {
  reason?: string
  out?: string
  min?: string
  limit?: string
  member?: string
  json?: boolean
  yes?: boolean
}

/** Input of an operator's command. */
export type OpsCall = {
  db: Db
  config: Config
  /** Missing if REDIS_URL is not set: the embedded Redis belongs to another process. */
  redisUrl: string | undefined
  args: string[]
  options: OpsOptions
}

/** Columns of a printed row, in their order. */
export type Row = Record<string, unknown>

/** What an action has done; the transaction commits after it. */
export type Done = {
  /** Printed after the commit. */
  says: string
  /** The member whom the log names. */
  memberId?: number
  details?: ActionDetails
  /** Work after the commit, such as messages to gateways. */
  after?(): Promise<void>
}

/** An action that waits for its confirmation. */
export type Action = {
  /** What the operator confirms; null if nothing changes. */
  asks: string | null
  /** May run again after a serialization failure, so it has no effect outside of the transaction. */
  run(tx: Tx): Promise<Done>
}

type Named = {
  /** Arguments and options, as the usage text shows them after the name. */
  takes?: string
  does: string
}

/** Prints a table, or JSON with `--json`. */
export type ListCommand = Named & { list(call: OpsCall): Promise<Row[]> }
/** Prints the fields of one row, or JSON with `--json`. */
export type ShowCommand = Named & { show(call: OpsCall): Promise<Row> }
/** Acts after a confirmation, and is logged with its reason. */
export type ActCommand = Named & {
  /** Checks the input and describes the action, without an effect. */
  act(call: OpsCall, reason: string): Promise<Action>
  /** Logged without `--reason`; absent, the reason is required. */
  usualReason?: string
}

export type OpsCommand = ListCommand | ShowCommand | ActCommand
