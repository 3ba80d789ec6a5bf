import { atom } from 'jotai'
import { call, messageOf } from '#client/api.ts'
import { ACTIVITY_URL, MINING_URL, receive, refresh, store, WALLET_URL } from '#client/data.ts'
import { sendOnce } from '#client/idempotent.ts'
import { toast } from '#client/ui/toast.tsx'
import { claimText } from './mining-view.ts'

export type MiningAction = 'start' | 'stop' | 'claim'

/** What was pressed and is not answered yet; `retrying` when an answer was lost. */
export const miningActionAtom = atom<{ action: MiningAction; retrying: boolean } | null>(null)

const CHECK_CONNECTION = 'No answer from the server. Check your connection and try again.'

/** Runs one action at a time, whatever is pressed meanwhile. */
async function perform(action: MiningAction, run: (onRetry: () => void) => Promise<void>) {
  if (store.get(miningActionAtom)) return
  store.set(miningActionAtom, { action, retrying: false })
  try {
    await run(() => store.set(miningActionAtom, { action, retrying: true }))
  } finally {
    store.set(miningActionAtom, null)
  }
}

function failed(title: string, error: unknown, fallback: string) {
  toast({ variant: 'destructive', title, description: messageOf(error, fallback) })
  // The screen offered something that the server refused, or nobody knows what became of it.
  return refresh(MINING_URL)
}

export function startMining(): Promise<void> {
  return perform('start', async (onRetry) => {
    try {
      const send = (idempotencyKey: string) => call('POST /api/mining/start', { idempotencyKey })
      receive(MINING_URL, await sendOnce(send, onRetry))
      void refresh(MINING_URL, ACTIVITY_URL)
    } catch (error) {
      await failed('Failed to Start Mining', error, CHECK_CONNECTION)
    }
  })
}

export function stopMining(): Promise<void> {
  return perform('stop', async (onRetry) => {
    try {
      const send = (idempotencyKey: string) => call('POST /api/mining/stop', { idempotencyKey })
      receive(MINING_URL, await sendOnce(send, onRetry))
      void refresh(MINING_URL, ACTIVITY_URL, WALLET_URL)
    } catch (error) {
      await failed('Failed to Stop Mining', error, CHECK_CONNECTION)
    }
  })
}

/** Moves all pending rewards into the wallet (Specification §8: Mining). */
export function claimRewards(): Promise<void> {
  return perform('claim', async (onRetry) => {
    try {
      const send = (idempotencyKey: string) => call('POST /api/mining/claim', { idempotencyKey })
      const claimed = await sendOnce(send, onRetry)
      toast({ title: 'Rewards Claimed Successfully', description: claimText(claimed) })
      // Until the new status is here the old one would offer the same claim again.
      await refresh(MINING_URL, WALLET_URL, ACTIVITY_URL)
    } catch (error) {
      const fallback = 'There was an error claiming your rewards.'
      await failed('Failed to Claim Rewards', error, fallback)
    }
  })
}
