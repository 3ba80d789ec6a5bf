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
import { toast } from '#client/ui/toast.tsx'
import type { MiningStatus } from '#rules/snapshots'
import { claimText } from './mining-view.ts'

export type MiningAction = 'start' | 'stop' | 'claim'

/** What was pressed and is not answered yet; `retrying` while it is sent again. */
export const miningActionAtom = atom<{ action: MiningAction; retrying: boolean } | null>(null)

const CHECK_CONNECTION = 'No answer from the server. Check your connection and try again.'

const FAILURES: Record<MiningAction, { title: string; fallback: string }> = {
  start: { title: 'Failed to Start Mining', fallback: CHECK_CONNECTION },
  stop: { title: 'Failed to Stop Mining', fallback: CHECK_CONNECTION },
  claim: {
    title: 'Failed to Claim Rewards',
    fallback: 'There was an error claiming your rewards.',
  },
}

/** A first answer that comes again may be older than what is known by now. */
function show(status: MiningStatus) {
  if (status.asOf > (snapshotOf(MINING_URL)?.asOf ?? 0)) receiveSnapshot(MINING_URL, status)
}

const commands: Record<MiningAction, (submit: SubmitCommand) => Promise<void>> = {
  async start(submit) {
    show(await submit((idempotencyKey) => call('POST /api/mining/start', { idempotencyKey })))
    void refresh(MINING_URL, ACTIVITY_URL)
  },
  async stop(submit) {
    show(await submit((idempotencyKey) => call('POST /api/mining/stop', { idempotencyKey })))
    void refresh(MINING_URL, ACTIVITY_URL, WALLET_URL)
  },
  async claim(submit) {
    const send = (idempotencyKey: string) => call('POST /api/mining/claim', { idempotencyKey })
    toast({ title: 'Rewards Claimed Successfully', description: claimText(await submit(send)) })
    // Until the new status is here the old one would offer the same claim again.
    await refresh(MINING_URL, WALLET_URL, ACTIVITY_URL)
  },
}

/** Runs one action at a time, whatever is pressed meanwhile. */
async function perform(action: MiningAction, unanswered?: PendingCommand): Promise<void> {
  const memberId = currentUser()?.id
  if (store.get(miningActionAtom) || memberId === undefined) return
  store.set(miningActionAtom, { action, retrying: unanswered !== undefined })
  const pressed = unanswered ?? rememberCommand(memberId, action, snapshotOf(MINING_URL)?.asOf)
  const onRetry = () => store.set(miningActionAtom, { action, retrying: true })
  try {
    await commands[action]((send) => sendCommand(memberId, pressed, send, onRetry))
  } catch (error) {
    const { title, fallback } = FAILURES[action]
    toast({ variant: 'destructive', title, description: messageOf(error, fallback) })
    // The screen offered something that the server refused, or nobody knows what became of it.
    await refresh(MINING_URL)
  } finally {
    store.set(miningActionAtom, null)
  }
}

export const startMining = () => perform('start')

export const stopMining = () => perform('stop')

/** Moves all pending rewards into the wallet (Specification §8: Mining). */
export const claimRewards = () => perform('claim')

const isMiningAction = (action: string): action is MiningAction => action in commands

/** Sends again what was pressed before the page was loaded anew and never answered. */
export function resumeMining(unanswered: PendingCommand[]): Promise<void> {
  const last = unanswered.find(({ name }) => isMiningAction(name))
  return last && isMiningAction(last.name) ? perform(last.name, last) : Promise.resolve()
}
