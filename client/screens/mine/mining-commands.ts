import { atom } from 'jotai'
import type { CommandDefinition } from '#client/commands/command-type.ts'
import { commandsAtom, issueCommand, runningCommand } from '#client/commands/commands.ts'
import { call } from '#client/data/api.ts'
import { currentUser, readStatus, receiveSnapshot, snapshotOf } from '#client/data/member-data.ts'
import { refresh } from '#client/data/refresh.ts'
import { i18n } from '#client/language/language.ts'
import { prefersReducedMotion } from '#client/ui/theme.ts'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'
import type { ClaimResult, MiningStatus } from '#rules/snapshots'
import { claimText } from './mining-view.ts'
import { offerPush } from './push-offer.tsx'

type MiningCommand = 'start' | 'stop' | 'claim'

/** Start, stop and claim exclude each other. */
const MUTEX_KEY = 'mining'

export const miningCommandAtom = atom((get) => {
  const running = runningCommand(get(commandsAtom), MUTEX_KEY)
  return running ? { command: running.name as MiningCommand, state: running.state } : null
})

/** The running session: a stop that waited must not end another one. */
function basisOf(status: MiningStatus | undefined): string | null {
  return status?.active && status.session ? `session ${status.session.id}` : 'idle'
}

/** Shows a rejection and reads the status again, because the screen was out of date. */
function refused(...failure: Parameters<typeof showFailure>): Promise<void> {
  showFailure(...failure)
  return refresh('/api/mining/status')
}

const switchDefinition = (
  name: 'start' | 'stop',
  route: 'POST /api/mining/start' | 'POST /api/mining/stop',
): CommandDefinition<null, MiningStatus> => ({
  name,
  mutexKey: () => MUTEX_KEY,
  basis: () => basisOf(snapshotOf('/api/mining/status')),
  readBasis: async () => basisOf(await readStatus()),
  send: (_, idempotencyKey) => call(route, { idempotencyKey }),
  onDone(status, { late }) {
    // A repeated request gets its first answer, which may be older than the cached snapshot.
    const shown = snapshotOf('/api/mining/status')
    if (status.asOf > (shown?.asOf ?? 0)) receiveSnapshot('/api/mining/status', status)
    if (late) toast({ title: i18n.t(name === 'start' ? 'mine:started' : 'mine:stopped') })
    else vibrate('switched')
    if (name === 'start') offerPush(currentUser()?.id, status.session?.id)
    void refresh('/api/mining/status', '/api/wallet/activity')
    if (name === 'stop') void refresh('/api/wallet')
  },
  onRefused: (error) => refused(i18n.t(`mine:${name}Failed`), error),
})

export const startDefinition = switchDefinition('start', 'POST /api/mining/start')
export const stopDefinition = switchDefinition('stop', 'POST /api/mining/stop')

/** Moves all pending rewards into the wallet (Specification §8: Mining). */
export const claimDefinition: CommandDefinition<null, ClaimResult> = {
  name: 'claim',
  mutexKey: () => MUTEX_KEY,
  send: (_, idempotencyKey) => call('POST /api/mining/claim', { idempotencyKey }),
  async onDone(claimed, { late }) {
    toast({ title: i18n.t('mine:claimed.title'), description: claimText(claimed) })
    if (!late) vibrate('paid')
    // The cached status would offer the same claim again until the new one arrives.
    await refresh('/api/mining/status', '/api/wallet', '/api/wallet/activity')
  },
  onRefused: (error) =>
    refused(i18n.t('mine:claimed.failed'), error, i18n.t('mine:claimed.failedText')),
}

export const startMining = () => issueCommand(startDefinition, null)
export const stopMining = () => issueCommand(stopDefinition, null)
export const claimRewards = () => issueCommand(claimDefinition, null)

/** Vibrations and pauses, ms. */
const VIBRATIONS = { switched: [15], paid: [15, 60, 15] }

/** Browsers log an error for a vibration of a page that was not touched yet. */
export function vibrate(kind: keyof typeof VIBRATIONS): void {
  if (prefersReducedMotion() || navigator.userActivation?.hasBeenActive === false) return
  navigator.vibrate?.(VIBRATIONS[kind])
}
