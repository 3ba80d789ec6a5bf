import { atom } from 'jotai'
import { type PendingCommand, rememberCommand } from '#client/commands/pending-commands.ts'
import { type SubmitCommand, sendCommand } from '#client/commands/send-command.ts'
import { call, messageOf } from '#client/data/api.ts'
import {
  ACTIVITY_URL,
  currentUser,
  MINING_URL,
  receiveSnapshot,
  refresh,
  snapshotOf,
  store,
  WALLET_URL,
} from '#client/data/member-data.ts'
import { NO_ANSWER } from '#client/screens/no-answer.ts'
import { toast } from '#client/ui/toast.tsx'
import type { MiningStatus } from '#rules/snapshots'
import { claimText } from './mining-view.ts'

export type MiningCommand = 'start' | 'stop' | 'claim'

/** The command without an answer yet; `retrying` while its request is repeated. */
export const miningCommandAtom = atom<{ command: MiningCommand; retrying: boolean } | null>(null)

const FAILURES: Record<MiningCommand, { title: string; fallback: string }> = {
  start: { title: 'Failed to Start Mining', fallback: NO_ANSWER },
  stop: { title: 'Failed to Stop Mining', fallback: NO_ANSWER },
  claim: {
    title: 'Failed to Claim Rewards',
    fallback: 'There was an error claiming your rewards.',
  },
}

/** A repeated request gets its first answer, which may be older than the cached snapshot. */
function receiveIfNewer(status: MiningStatus) {
  if (status.asOf > (snapshotOf(MINING_URL)?.asOf ?? 0)) receiveSnapshot(MINING_URL, status)
}

const commands: Record<MiningCommand, (submit: SubmitCommand) => Promise<void>> = {
  async start(submit) {
    receiveIfNewer(
      await submit((idempotencyKey) => call('POST /api/mining/start', { idempotencyKey })),
    )
    void refresh(MINING_URL, ACTIVITY_URL)
  },
  async stop(submit) {
    receiveIfNewer(
      await submit((idempotencyKey) => call('POST /api/mining/stop', { idempotencyKey })),
    )
    void refresh(MINING_URL, ACTIVITY_URL, WALLET_URL)
  },
  async claim(submit) {
    const send = (idempotencyKey: string) => call('POST /api/mining/claim', { idempotencyKey })
    toast({ title: 'Rewards Claimed Successfully', description: claimText(await submit(send)) })
    // The cached status would offer the same claim again until the new one arrives.
    await refresh(MINING_URL, WALLET_URL, ACTIVITY_URL)
  },
}

/** Runs a command, or resumes a pending one; ignored while another command runs. */
async function run(command: MiningCommand, resumed?: PendingCommand): Promise<void> {
  const memberId = currentUser()?.id
  if (store.get(miningCommandAtom) || memberId === undefined) return
  store.set(miningCommandAtom, { command, retrying: resumed !== undefined })
  const pending = resumed ?? rememberCommand(memberId, command, snapshotOf(MINING_URL)?.asOf)
  const onRetry = () => store.set(miningCommandAtom, { command, retrying: true })
  try {
    await commands[command]((send) => sendCommand(memberId, pending, send, onRetry))
  } catch (error) {
    const { title, fallback } = FAILURES[command]
    toast({ variant: 'destructive', title, description: messageOf(error, fallback) })
    // The screen was out of date, or the outcome is unknown.
    await refresh(MINING_URL)
  } finally {
    store.set(miningCommandAtom, null)
  }
}

export const startMining = () => run('start')

export const stopMining = () => run('stop')

/** Moves all pending rewards into the wallet (Specification §8: Mining). */
export const claimRewards = () => run('claim')

const isMiningCommand = (name: string): name is MiningCommand => name in commands

/** Resumes the newest mining command that an earlier load of the page left without an answer. */
export function resumeMining(pending: PendingCommand[]): Promise<void> {
  const last = pending.find(({ name }) => isMiningCommand(name))
  return last && isMiningCommand(last.name) ? run(last.name, last) : Promise.resolve()
}
