import type { OpsCommand } from './command.ts'
import { OPS } from './commands.ts'

/** Options of all commands, for `parseArgs`. */
export const OPTIONS = {
  reason: { type: 'string' },
  out: { type: 'string' },
  min: { type: 'string' },
  limit: { type: 'string' },
  member: { type: 'string' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const

const COMMANDS: Record<string, OpsCommand> = OPS

/** The name, the arguments and the options of a command, as an operator types them. */
function callText(name: string, command: OpsCommand): string {
  const isReasonNeeded = 'act' in command && command.usualReason === undefined
  return [name, command.takes, isReasonNeeded && '--reason <text>'].filter(Boolean).join(' ')
}

/** Each command as an operator types it, and what it does. */
export const CALLS = Object.entries(COMMANDS).map(([name, command]) => ({
  call: callText(name, command),
  does: command.does,
}))

/** The command that the first words name, and the words after them. */
export function findCommand(
  words: string[],
): { name: string; command: OpsCommand; args: string[] } | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command) return { name, command, args: words.slice(count) }
  }
  return undefined
}

/** All commands, with what each one does. */
export function usage(): string {
  const width = Math.max(...CALLS.map(({ call }) => call.length))
  return [
    'Usage: npm run ops -- <command>',
    '',
    ...CALLS.map(({ call, does }) => `  ${call.padEnd(width)}  ${does}`),
    '',
    '<member> is a user name, an e-mail address or id:<number>. --json prints JSON.',
    'Actions ask before they change anything (--yes answers) and are logged: npm run ops -- log.',
  ].join('\n')
}
