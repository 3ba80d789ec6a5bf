import { Command, type OutputConfiguration } from 'commander'
import { announcementCommands } from './announcements.ts'
import type { OpsCommand, OpsOptions } from './command.ts'
import { keyCommands } from './data-keys.ts'
import { doctor } from './doctor.ts'
import { emailChangeCommands } from './email-change.ts'
import { kycCommands } from './kyc.ts'
import { ledgerCommands } from './ledger.ts'
import { mailCommands } from './mails.ts'
import { memberCommands } from './members.ts'
import { operatorCommands } from './operators.ts'
import { redisClear } from './redis.ts'
import { releaseCommands } from './releases.ts'
import { sessionCommands } from './sessions.ts'
import { log, statusCommands } from './status.ts'
import { taskCommands } from './tasks.ts'
import { teamCommands } from './teams.ts'

export const OPS = {
  ...statusCommands,
  doctor,
  ...memberCommands,
  ...emailChangeCommands,
  ...sessionCommands,
  ...ledgerCommands,
  ...teamCommands,
  ...kycCommands,
  ...operatorCommands,
  ...mailCommands,
  ...taskCommands,
  ...announcementCommands,
  ...releaseCommands,
  ...keyCommands,
  'redis clear': redisClear,
  log,
} satisfies Record<string, OpsCommand>

export type OpsName = keyof typeof OPS

const COMMANDS = Object.entries<OpsCommand>(OPS)
const PROGRAM = 'npm run ops --'

export const CALLS = COMMANDS.map(([name, command]) => {
  const isReasonNeeded = 'act' in command && command.usualReason === undefined
  const reason = isReasonNeeded ? ['--reason <text>'] : []
  const parts = [name, command.takes, ...(command.options ?? []), ...reason]
  return { call: parts.filter(Boolean).join(' '), does: command.does }
})

function usage(): string {
  const width = Math.max(...CALLS.map(({ call }) => call.length))
  return [
    `Usage: ${PROGRAM} <command>`,
    '',
    ...CALLS.map(({ call, does }) => `  ${call.padEnd(width)}  ${does}`),
    '',
    '<member> is a user name, an e-mail address or id:<number>. --json prints JSON.',
    'Actions ask before they change anything (--yes answers) and are logged: npm run ops -- log.',
    '',
  ].join('\n')
}

function addOptions(leaf: Command, command: OpsCommand): void {
  for (const option of command.options ?? []) {
    const [, flags = option] = /^\[(.*)\]$/.exec(option) ?? []
    if (flags === option) leaf.requiredOption(flags)
    else leaf.option(flags)
  }
  leaf.option('--json', 'print JSON')
  if (!('act' in command)) return
  const reason = ['--reason <text>', 'logged with the action'] as const
  if (command.usualReason === undefined) leaf.requiredOption(...reason)
  else leaf.option(...reason)
  leaf.option('--yes', 'act without a question')
}

export type Typed = { args: string[]; options: OpsOptions }

/** Wrong input is explained on stderr and rejects with a `CommanderError`, as `--help` does with exit code 0. */
export function opsProgram(
  run: (name: string, command: OpsCommand, typed: Typed) => Promise<void>,
  output: OutputConfiguration = {},
): Command {
  const program = new Command(PROGRAM)
    .exitOverride()
    .configureOutput(output)
    .helpCommand(false)
    // `queues` has options and a command `failed` with the same ones.
    .enablePositionalOptions()
    .showHelpAfterError(`${PROGRAM} --help lists all commands.`)
  program.helpInformation = usage
  for (const [name, command] of COMMANDS) {
    let leaf = program
    for (const word of name.split(' ')) {
      leaf = leaf.commands.find((each) => each.name() === word) ?? leaf.command(word)
    }
    leaf.description(command.does)
    if (command.takes) leaf.arguments(command.takes)
    addOptions(leaf, command)
    leaf.action(() => run(name, command, { args: leaf.args, options: leaf.opts() }))
  }
  return program
}
