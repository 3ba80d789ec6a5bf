import { atom, useAtomValue } from 'jotai'
import type { CommandDefinition } from '#client/commands/command-type.ts'
import {
  commandsAtom,
  issueCommand,
  progressLabel,
  runningCommand,
} from '#client/commands/commands.ts'
import { ApiError, answerOf, call } from '#client/data/api.ts'
import { currentUser, setUser, snapshotOf } from '#client/data/member-data.ts'
import { signInAtom, store } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import { apiText, errorText, i18n } from '#client/language/language.ts'
import { readTeamAfterCommand } from '#client/live/team-push.ts'
import { showError, toast } from '#client/ui/toasts/toast.ts'
import { readyMilestones } from '#rules/money/milestones'
import type { MilestoneCheck } from '#rules/snapshots'
import { checkOutcome, type Payout, payoutOf } from './team-view.ts'

/** Two buttons check the milestones; only the clicked one shows that it is busy. */
export type CheckCommand = 'check-reached' | 'check-reward'
type TeamCommand = CheckCommand | 'generate' | 'apply'
type Pressed = { button: TeamCommand }

/** The commands of the team exclude each other. */
const mutexKey = () => 'team'

/** Shows a failure and reads the team again, because the screen may be out of date. */
function refused(
  failure: 'check.failed' | 'invite.generateFailed' | 'apply.failed',
): Promise<void> {
  showError(i18n.t('team:check.error'), i18n.t(`team:${failure}`))
  return refresh('/api/referral/info')
}

const lastPayoutAtom = atom<{ payout: Payout; signIn: number } | null>(null)

/** What the last check of the signed-in member paid; shown until the screen is left. */
export const payoutAtom = atom((get) => {
  const last = get(lastPayoutAtom)
  return last?.signIn === get(signInAtom) ? last.payout : null
})

export const forgetPayout = () => store.set(lastPayoutAtom, null)

/** Pays the milestones that the team has reached since the last check. */
export const checkDefinition: CommandDefinition<Pressed, MilestoneCheck> = {
  name: 'check-milestones',
  mutexKey,
  send: (_, idempotencyKey) => call('GET /api/referral/check-milestones', { idempotencyKey }),
  async onDone(outcome) {
    const team = snapshotOf('/api/referral/info')
    if (outcome.newMilestones.length > 0) {
      const payout = payoutOf(outcome.newMilestones)
      store.set(lastPayoutAtom, { payout, signIn: store.get(signInAtom) })
    }
    toast(checkOutcome(outcome, team !== undefined && readyMilestones(team).length > 0))
    await Promise.all([readTeamAfterCommand(), refresh('/api/wallet', '/api/wallet/activity')])
  },
  onRefused: () => refused('check.failed'),
}

export const generateDefinition: CommandDefinition<Pressed, { referralCode: string }> = {
  name: 'generate-code',
  mutexKey,
  send: (_, idempotencyKey) => call('POST /api/referral/generate-code', { idempotencyKey }),
  async onDone({ referralCode }) {
    toast({ title: i18n.t('team:check.done'), description: i18n.t('team:invite.generated') })
    const user = currentUser()
    if (user) setUser({ ...user, referralCode })
    await readTeamAfterCommand()
  },
  onRefused: () => refused('invite.generateFailed'),
}

type Application = Pressed & { referralCode: string }

export const applyDefinition: CommandDefinition<Application, { message: string }> = {
  name: 'apply-code',
  mutexKey,
  async send({ referralCode }, idempotencyKey) {
    const body = { referralCode }
    const answer = await call('POST /api/referral/apply-code', { body, idempotencyKey })
    if (answer.success) return answer
    const rejection = { message: answer.message, code: 'referral_refused' }
    throw new ApiError(200, JSON.stringify(rejection), rejection)
  },
  async onDone({ message }) {
    toast({ title: i18n.t('team:check.done'), description: apiText(message) })
    await readTeamAfterCommand()
  },
  async onRefused(error) {
    const message = messageOfRejection(error)
    if (message === null) return refused('apply.failed')
    showError(i18n.t('team:apply.refused'), message)
  },
}

function messageOfRejection(error: unknown): string | null {
  const answer = answerOf(error)
  return answer?.code === 'referral_refused' ? errorText(answer) : null
}

export const checkMilestones = (button: CheckCommand) => issueCommand(checkDefinition, { button })

export const generateCode = () => issueCommand(generateDefinition, { button: 'generate' })

/** Resolves to the server's message when the code is rejected. */
export async function applyCode(code: string): Promise<string | null> {
  const input = { button: 'apply' as const, referralCode: code.trim() }
  const outcome = await issueCommand(applyDefinition, input)
  return outcome.state === 'refused' ? messageOfRejection(outcome.error) : null
}

export function useTeamCommand(command: TeamCommand) {
  const running = runningCommand(useAtomValue(commandsAtom), mutexKey())
  const busy = (running?.input as Pressed | undefined)?.button === command
  return {
    disabled: running !== undefined,
    busy,
    busyLabel: running && busy ? progressLabel(running.state, undefined) : undefined,
  }
}
