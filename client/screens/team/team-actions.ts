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
import { knownTeam, REFERRAL_URL } from '#client/data/referral-info.ts'
import { toast } from '#client/ui/toast.tsx'
import { checkOutcome } from './team-view.ts'

/** Two buttons check the milestones: the one that was pressed is the one that is busy. */
export type TeamAction = 'check-reached' | 'check-reward' | 'generate' | 'apply'

/** What was pressed and is not answered yet; `retrying` while it is sent again. */
export const teamActionAtom = atom<{ action: TeamAction; retrying: boolean } | null>(null)

/** What an action does, with the code that it applies; resolves to why it was refused. */
type Command = { failure: string; run(submit: SubmitCommand, code: string): Promise<string | null> }

/** Pays what the team has reached and was not paid for yet. */
const check: Command = {
  failure: 'Unable to check team milestones.',
  async run(submit) {
    const outcome = await submit((idempotencyKey) =>
      call('GET /api/referral/check-milestones', { idempotencyKey }),
    )
    toast(checkOutcome(outcome))
    await refresh(REFERRAL_URL, WALLET_URL, ACTIVITY_URL)
    return null
  },
}

const generate: Command = {
  failure: 'Unable to create referral code.',
  async run(submit) {
    const { success } = await submit((idempotencyKey) =>
      call('POST /api/referral/generate-code', { idempotencyKey }),
    )
    if (!success) throw new Error(generate.failure)
    toast({ title: 'Success!', description: 'A new referral code has been created for you.' })
    // The member's own record carries the code too.
    recheckUser()
    await refresh(REFERRAL_URL)
    return null
  },
}

const apply: Command = {
  failure: 'Unable to apply referral code.',
  async run(submit, referralCode) {
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

const commands: Record<TeamAction, Command> = {
  'check-reached': check,
  'check-reward': check,
  generate,
  apply,
}

/** Runs one action at a time, whatever is pressed meanwhile; resolves to why it was refused. */
async function perform(
  action: TeamAction,
  code = '',
  unanswered?: PendingCommand,
): Promise<string | null> {
  const memberId = currentUser()?.id
  if (store.get(teamActionAtom) || memberId === undefined) return null
  store.set(teamActionAtom, { action, retrying: unanswered !== undefined })
  const { failure, run } = commands[action]
  const pressed =
    unanswered ?? rememberCommand(memberId, `team:${action}:${code}`, knownTeam()?.asOf)
  const onRetry = () => store.set(teamActionAtom, { action, retrying: true })
  try {
    return await run((send) => sendCommand(memberId, pressed, send, onRetry), code)
  } catch (error) {
    if (isSignedOut(error)) recheckUser()
    const description = `${failure} Please try again later.`
    toast({ variant: 'destructive', title: 'Error!', description })
    if (mayHaveWorked(error)) await refresh(REFERRAL_URL)
    return null
  } finally {
    store.set(teamActionAtom, null)
  }
}

export const checkMilestones = (action: 'check-reached' | 'check-reward') => perform(action)

export const generateCode = () => perform('generate')

/** Applies somebody's code; a refusal is told in the server's words, and to the caller. */
export const applyCode = (code: string) => perform('apply', code.trim())

const isTeamAction = (action: string | undefined): action is TeamAction =>
  action !== undefined && action in commands

/** Sends again what was pressed before the page was loaded anew and never answered. */
export async function resumeTeam(unanswered: PendingCommand[]): Promise<void> {
  for (const one of unanswered) {
    const [, action, code] = /^team:([\w-]+):(.*)$/.exec(one.name) ?? []
    if (isTeamAction(action)) return void (await perform(action, code, one))
  }
}
