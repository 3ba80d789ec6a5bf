import { inTransaction } from '#db/postgres/statements/transaction'
import { reasonText, recordAction } from '#operators/actions/actions'
import { RuleError } from '#rules/rule-error'
import { needed } from './arguments.ts'
import type { ActCommand, OpsCall, OpsCommand, Row } from './command.ts'
import { formatFields, formatRows } from './print.ts'

/** The operator and the terminal of a command. */
export type Terminal = {
  operator(): string
  print(text: string): void
  /** Whether the operator agrees. */
  confirm(question: string): Promise<boolean>
}

const json = (value: Row | Row[]) => JSON.stringify(value, null, 2)

/**
 * Runs a command. An action and its line in the log of operators' actions are one transaction, which
 * begins after the confirmation.
 * @throws {RuleError} for wrong input, a missing reason or a refused confirmation
 */
export async function runOps(
  name: string,
  command: OpsCommand,
  call: OpsCall,
  terminal: Terminal,
): Promise<void> {
  if ('act' in command) return runAction(name, command, call, terminal)
  if ('list' in command) {
    const rows = await command.list(call)
    return terminal.print(call.options.json ? json(rows) : formatRows(rows))
  }
  const row = await command.show(call)
  terminal.print(call.options.json ? json(row) : formatFields(row))
}

async function runAction(
  name: string,
  { act, usualReason }: ActCommand,
  call: OpsCall,
  terminal: Terminal,
): Promise<void> {
  const { db, options } = call
  const operator = terminal.operator()
  const reason = reasonText(needed(options.reason ?? usualReason, '--reason'))
  const { asks, run } = await act(call, reason)
  if (asks && !options.yes && !(await terminal.confirm(asks))) {
    throw new RuleError('bad_input', 'Nothing was changed')
  }
  const done = await inTransaction(db, async (tx) => {
    const result = await run(tx)
    const { memberId = null, details = {} } = result
    await recordAction(tx, { operator, action: name, memberId, details, reason })
    return result
  })
  await done.after?.()
  terminal.print(options.json ? json({ done: done.says }) : done.says)
}
