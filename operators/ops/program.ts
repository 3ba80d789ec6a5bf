import { Command, type OutputConfiguration } from 'commander'
import {
  announcementsAdd,
  announcementsEdit,
  announcementsEnd,
  announcementsList,
} from './announcements.ts'
import type { OpsCommand, OpsOptions } from './command.ts'
import { keysRenew, keysStatus } from './data-keys.ts'
import { doctor } from './doctor.ts'
import { membersChangeEmail, membersConfirmEmail, membersSetEmail } from './email-change.ts'
import { kycAccept, kycHistory, kycList, kycReject, kycShow } from './kyc.ts'
import {
  ledgerApprove,
  ledgerCorrect,
  ledgerProposals,
  ledgerRefuse,
  ledgerShow,
  retentionStatus,
  sealsList,
} from './ledger.ts'
import { mailAllow, mailFailed, mailRefused, mailRetry, mailTest, mailWaiting } from './mails.ts'
import {
  membersFind,
  membersFreeze,
  membersResetFactor,
  membersShow,
  membersUnfreeze,
  notesAdd,
  notesDelete,
  notesList,
  signInsEnd,
} from './members.ts'
import {
  operatorsInvite,
  operatorsList,
  operatorsRemove,
  operatorsReset,
  operatorsRole,
  operatorsSignOut,
} from './operators.ts'
import { redisClear } from './redis.ts'
import {
  flagsFor,
  flagsList,
  flagsOff,
  flagsOn,
  versionsLift,
  versionsList,
  versionsSet,
} from './releases.ts'
import { quarantineList, quarantineRelease, sessionsEnd, sessionsShow } from './sessions.ts'
import { lag, log, overview, overviewDays, queues, queuesFailed, status } from './status.ts'
import { tasksAdd, tasksEdit, tasksEnd, tasksList, tasksPublish, tasksShow } from './tasks.ts'
import {
  codesFreeze,
  codesList,
  codesUnfreeze,
  teamsDismiss,
  teamsShow,
  teamsSuspicious,
} from './teams.ts'

/** All commands, by the words that name them. */
export const OPS = {
  status,
  overview,
  'overview days': overviewDays,
  doctor,
  lag,
  queues,
  'queues failed': queuesFailed,
  'members find': membersFind,
  'members show': membersShow,
  'members freeze': membersFreeze,
  'members unfreeze': membersUnfreeze,
  'members reset-factor': membersResetFactor,
  'members change-email': membersChangeEmail,
  'members confirm-email': membersConfirmEmail,
  'members set-email': membersSetEmail,
  'notes list': notesList,
  'notes add': notesAdd,
  'notes delete': notesDelete,
  'sign-ins end': signInsEnd,
  'sessions show': sessionsShow,
  'sessions end': sessionsEnd,
  'ledger show': ledgerShow,
  'ledger correct': ledgerCorrect,
  'ledger proposals': ledgerProposals,
  'ledger approve': ledgerApprove,
  'ledger refuse': ledgerRefuse,
  'codes list': codesList,
  'codes freeze': codesFreeze,
  'codes unfreeze': codesUnfreeze,
  'teams suspicious': teamsSuspicious,
  'teams show': teamsShow,
  'teams dismiss': teamsDismiss,
  'retention status': retentionStatus,
  'seals list': sealsList,
  'quarantine list': quarantineList,
  'quarantine release': quarantineRelease,
  'kyc list': kycList,
  'kyc history': kycHistory,
  'kyc show': kycShow,
  'kyc accept': kycAccept,
  'kyc reject': kycReject,
  'operators list': operatorsList,
  'operators invite': operatorsInvite,
  'operators reset': operatorsReset,
  'operators role': operatorsRole,
  'operators sign-out': operatorsSignOut,
  'operators remove': operatorsRemove,
  'mail waiting': mailWaiting,
  'mail failed': mailFailed,
  'mail refused': mailRefused,
  'mail allow': mailAllow,
  'mail retry': mailRetry,
  'mail test': mailTest,
  'tasks list': tasksList,
  'tasks show': tasksShow,
  'tasks add': tasksAdd,
  'tasks edit': tasksEdit,
  'tasks publish': tasksPublish,
  'tasks end': tasksEnd,
  'announcements list': announcementsList,
  'announcements add': announcementsAdd,
  'announcements edit': announcementsEdit,
  'announcements end': announcementsEnd,
  'flags list': flagsList,
  'flags on': flagsOn,
  'flags off': flagsOff,
  'flags for': flagsFor,
  'versions list': versionsList,
  'versions set': versionsSet,
  'versions lift': versionsLift,
  'keys status': keysStatus,
  'keys renew': keysRenew,
  'redis clear': redisClear,
  log,
} satisfies Record<string, OpsCommand>

export type OpsName = keyof typeof OPS

const COMMANDS = Object.entries<OpsCommand>(OPS)
const PROGRAM = 'npm run ops --'

/** Each command as an operator types it, and what it does. */
export const CALLS = COMMANDS.map(([name, command]) => {
  const isReasonNeeded = 'act' in command && command.usualReason === undefined
  const reason = isReasonNeeded ? ['--reason <text>'] : []
  const parts = [name, command.takes, ...(command.options ?? []), ...reason]
  return { call: parts.filter(Boolean).join(' '), does: command.does }
})

/** All commands, with what each one does. */
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

/** A command with its words, arguments and options, for `run`. */
export type Typed = { args: string[]; options: OpsOptions }

/**
 * Parses what an operator types. Wrong input is explained on stderr and rejects with a
 * `CommanderError`, as `--help` does with exit code 0.
 */
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
