import { atom } from 'jotai'
import { type PendingCommand, rememberCommand } from '#client/commands/pending-commands.ts'
import { type SubmitCommand, sendCommand } from '#client/commands/send-command.ts'
import { call, isSignedOut, mayHaveWorked } from '#client/data/api.ts'
import {
  ACTIVITY_URL,
  currentUser,
  recheckUser,
  refresh,
  store,
  WALLET_URL,
} from '#client/data/member-data.ts'
import { cachedTeam, REFERRAL_URL } from '#client/data/referral-info.ts'
import { toast } from '#client/ui/toast.tsx'
import { readyMilestones } from '#rules/milestones'
import { showPayout } from './milestones/payout.ts'
import { checkOutcome } from './team-view.ts'

/** Two buttons check the milestones; only the clicked one shows that it is busy. */
export type TeamCommand = 'check-reached' | 'check-reward' | 'generate' | 'apply'

/** The command without an answer yet; `retrying` while its request is repeated. */
export const teamCommandAtom = atom<{ command: TeamCommand; retrying: boolean } | null>(null)

/**
 * How a command runs. `execute` gets the referral code to apply and resolves to the server's
 * message when the code is rejected.
 */
type Handler = {
  failure: string
  execute(submit: SubmitCommand, code: string): Promise<string | null>
}

/** Pays the milestones that the team has reached since the last check. */
const check: Handler = {
  failure: 'Unable to check team milestones.',
  async execute(submit) {
    const team = cachedTeam()
    const outcome = await submit((idempotencyKey) =>
      call('GET /api/referral/check-milestones', { idempotencyKey }),
    )
    showPayout(outcome)
    toast(checkOutcome(outcome, team !== undefined && readyMilestones(team).length > 0))
    await refresh(REFERRAL_URL, WALLET_URL, ACTIVITY_URL)
    return null
  },
}

const generate: Handler = {
  failure: 'Unable to create referral code.',
  async execute(submit) {
    const { success } = await submit((idempotencyKey) =>
      call('POST /api/referral/generate-code', { idempotencyKey }),
    )
    if (!success) throw new Error(generate.failure)
    toast({ title: 'Success!', description: 'A new referral code has been created for you.' })
    // The user record contains the code too.
    recheckUser()
    await refresh(REFERRAL_URL)
    return null
  },
}

const apply: Handler = {
  failure: 'Unable to apply referral code.',
  async execute(submit, referralCode) {
    const { success, message } = await submit((idempotencyKey) =>
      call('POST /api/referral/apply-code', { body: { referralCode }, idempotencyKey }),
    )
    if (!success) {
      toast({ variant: 'destructive', title: 'Failed!', description: message })
      return message
    }
    toast({ title: 'Success!', description: message })
    await refresh(REFERRAL_URL)
    return null
  },
}

const handlers: Record<TeamCommand, Handler> = {
  'check-reached': check,
  'check-reward': check,
  generate,
  apply,
}

/**
 * Runs a command, or resumes a pending one; ignored while another command runs. Resolves to the
 * server's message when a code is rejected.
 */
async function run(
  command: TeamCommand,
  code = '',
  resumed?: PendingCommand,
): Promise<string | null> {
  const memberId = currentUser()?.id
  if (store.get(teamCommandAtom) || memberId === undefined) return null
  store.set(teamCommandAtom, { command, retrying: resumed !== undefined })
  const { failure, execute } = handlers[command]
  const pending =
    resumed ?? rememberCommand(memberId, `team:${command}:${code}`, cachedTeam()?.asOf)
  const onRetry = () => store.set(teamCommandAtom, { command, retrying: true })
  try {
    return await execute((send) => sendCommand(memberId, pending, send, onRetry), code)
  } catch (error) {
    if (isSignedOut(error)) recheckUser()
    const description = `${failure} Please try again later.`
    toast({ variant: 'destructive', title: 'Error!', description })
    if (mayHaveWorked(error)) await refresh(REFERRAL_URL)
    return null
  } finally {
    store.set(teamCommandAtom, null)
  }
}

export type CheckCommand = Extract<TeamCommand, `check-${string}`>

export const checkMilestones = (command: CheckCommand) => run(command)

export const generateCode = () => run('generate')

/** Applies a referral code; resolves to the server's message when it is rejected. */
export const applyCode = (code: string) => run('apply', code.trim())

const isTeamCommand = (name: string | undefined): name is TeamCommand =>
  name !== undefined && name in handlers

/** Resumes the newest team command that an earlier load of the page left without an answer. */
export async function resumeTeam(pending: PendingCommand[]): Promise<void> {
  for (const one of pending) {
    const [, command, code] = /^team:([\w-]+):(.*)$/.exec(one.name) ?? []
    if (isTeamCommand(command)) return void (await run(command, code, one))
  }
}
