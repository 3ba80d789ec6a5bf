import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { inTransaction } from '#db/postgres/statements/transaction'
import { reasonText, recordAction, refuse } from '#operators/actions/action-log'
import type { ActCommand, OpsCall, OpsCommand, Row } from './command.ts'
import { formatFields, formatRows, printable } from './print.ts'
import { publishChange } from './redis.ts'

type Terminal = {
  operator(): string
  print(text: string): void
  confirm(question: string): Promise<boolean>
  /** The account and the form of the console; absent on a terminal. */
  form?: { operatorId: number; formKey: string }
}

const json = (value: Row | Row[]) => JSON.stringify(value, null, 2)

/**
 * An action and its line in the log are one transaction, which begins after the confirmation.
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
    const { line } = command
    const shown = () =>
      line ? rows.map((row) => printable(line(row))).join('\n') : formatRows(rows)
    terminal.print(call.options.json ? json(rows) : shown())
    if (command.failsIf?.(rows)) refuse(`${name} found something wrong`)
    return
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
  const reason = reasonText(options.reason ?? usualReason ?? '')
  const { asks, run } = await act({ ...call, reason, operator })
  if (asks && !options.yes && !(await terminal.confirm(asks))) refuse('Nothing was changed')
  const done = await inTransaction(db, async (tx) => {
    const result = await run(tx)
    const { memberId = null, details = {} } = result
    const isUsual = reason === usualReason
    const entry = { operator, action: name, memberId, details, reason, isUsual, ...terminal.form }
    await recordAction(tx, entry)
    return result
  })
  for (const change of done.publishes ?? []) await publishChange(call, change)
  await done.after?.()
  if (done.refused !== undefined) refuse(done.refused)
  terminal.print(options.json ? json({ done: done.says }) : done.says)
}

/** `OPERATOR`, else the caller of `sudo`, else the system user. @throws {RuleError} `bad_input` without a name */
export function operatorName(env: NodeJS.ProcessEnv): string {
  const given = env.OPERATOR?.trim() || env.SUDO_USER
  if (given) return given
  try {
    return userInfo().username
  } catch {
    refuse('Set OPERATOR to your name: this system user has none')
  }
}

async function askOnTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) refuse(`${question}\nConfirm with --yes: there is no terminal to ask`)
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim())
  } finally {
    prompt.close()
  }
}

/** Questions go to stderr, so that stdout holds only results. */
export const PROCESS_TERMINAL: Terminal = {
  operator: () => operatorName(process.env),
  print: (text) => console.log(text),
  confirm: askOnTerminal,
}
