import type { Queue } from 'bullmq'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { type ActionDetails, refuse } from '#operators/actions/action-log'
import type { MailContext } from '#operators/actions/member-changes'
import { idOfMember, memberNamed } from '#operators/actions/members'
import type { Config } from '#runtime/config/config'
import type { Change } from '#runtime/pubsub'

/** A command takes those that it names. */
export type OpsOptions = {
  reason?: string
  out?: string
  min?: string
  limit?: string
  member?: string
  after?: string
  json?: boolean
  yes?: boolean
}

export type OpsCall = {
  db: Db
  config: Config
  args: string[]
  options: OpsOptions
  /** Every queue, kept open by the console; absent, a command opens and closes its own. */
  queues?: () => Promise<Queue[]>
}

/** The call of an action, with the words for the log. */
export type ActCall = OpsCall & { reason: string; operator: string }

export type Row = Record<string, unknown>

/** What an action has done; the transaction commits after it. */
export type Done = {
  /** Printed after the commit. */
  says: string
  memberId?: number
  details?: ActionDetails
  /** Nothing was achieved, but tries were counted: the command fails after the commit. */
  refused?: string
  /** Sent to the gateways after the commit. */
  publishes?: Change[]
  /** Other work after the commit. */
  after?(): Promise<void>
}

export type Action = {
  /** What the operator confirms; null if nothing changes. */
  asks: string | null
  /** May run again after a serialization failure, so it has no effect outside of the transaction. */
  run(tx: Tx): Promise<Done>
}

type Named = {
  /** Arguments as commander declares them: `<needed> [optional] [several...]`. */
  takes?: string
  /** Options of this command, in brackets if they may be left out. */
  options?: string[]
  does: string
}

/** Prints a table, or JSON with `--json`. */
export type ListCommand = Named & {
  list(call: OpsCall): Promise<Row[]>
  /** Its own text for a row; absent, the rows are a table. */
  line?(row: Row): string
  /** Whether the process ends with 1 after these rows. */
  failsIf?(rows: Row[]): boolean
}
type ShowCommand = Named & { show(call: OpsCall): Promise<Row> }
/** Acts after a confirmation, and is logged with its reason. */
export type ActCommand = Named & {
  /** Checks the input and describes the action of the operator, without an effect. */
  act(call: ActCall): Promise<Action>
  /** Logged without `--reason`; absent, the reason is required. */
  usualReason?: string
}

export type OpsCommand = ListCommand | ShowCommand | ActCommand

/** An argument of the command; the parser has refused a call without those that `takes` needs. */
export const argument = ({ args }: OpsCall, at = 0): string => args[at] ?? ''

type ActingOn<Subject> = Named &
  Pick<ActCommand, 'usualReason'> & {
    asks(subject: Subject, call: ActCall): Action['asks']
    run(tx: Tx, subject: Subject, call: ActCall): Promise<Done>
  }

/** Acts on what `of` reads for the question from the checked input. */
export const acting = <Subject>({
  of,
  asks,
  run,
  ...named
}: { of(call: ActCall): Subject | Promise<Subject> } & ActingOn<Subject>): ActCommand => ({
  ...named,
  act: async (call) => {
    const subject = await of(call)
    return { asks: asks(subject, call), run: (tx) => run(tx, subject, call) }
  },
})

type Member = { id: number; who: string }

export async function memberOf(call: OpsCall): Promise<Member> {
  const { id, username } = await memberNamed(call.db, argument(call))
  return { id, who: `member ${id} (${username})` }
}

/** Acts on the member whom its first argument names, as does the log. */
export const onMember = ({ run, ...command }: ActingOn<Member>): ActCommand =>
  acting({
    takes: '<member>',
    ...command,
    of: memberOf,
    run: async (tx, member, call) => ({ memberId: member.id, ...(await run(tx, member, call)) }),
  })

export const mailContext = ({ config }: OpsCall): MailContext => ({
  dataKey: config.dataKey,
  origin: config.publicOrigins[0],
})

/** Accepts whole numbers from 1. @throws {RuleError} `bad_input` */
export function wholeNumber(value: string, name: string): number {
  const number = Number(value)
  if (!value || !Number.isSafeInteger(number) || number < 1) {
    refuse(`${name} must be a number from 1 on`)
  }
  return number
}

const LIMITED = ['[--limit <n>]']

export function limitOf({ options }: OpsCall, usual: number): number {
  return options.limit === undefined ? usual : wholeNumber(options.limit, '--limit')
}

/** `usual` is the number of rows without `--limit`. */
export const newest = (
  usual: number,
  does: string,
  read: (db: Db, limit: number) => PromiseLike<Row[]>,
): ListCommand => ({
  options: LIMITED,
  does,
  list: async (call) => read(call.db, limitOf(call, usual)),
})

export const newestOfMember = (
  usual: number,
  does: string,
  read: (db: Db, memberId: number, limit: number) => PromiseLike<Row[]>,
): ListCommand => ({
  takes: '<member>',
  options: LIMITED,
  does,
  list: async (call) =>
    read(call.db, await idOfMember(call.db, argument(call)), limitOf(call, usual)),
})

/** The last row holds the cursor behind it. */
export const withNext = (rows: Row[], next: string | undefined): Row[] =>
  next === undefined ? rows : [...rows.slice(0, -1), { ...rows.at(-1), next }]
