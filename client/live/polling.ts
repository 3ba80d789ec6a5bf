import { ApiError } from '#client/data/api.ts'
import {
  ACTIVITY_URL,
  currentUser,
  MINING_URL,
  memberKey,
  receiveSnapshot,
  refresh,
  snapshotOf,
  WALLET_URL,
} from '#client/data/member-data.ts'
import { readWithEtag } from '#client/data/read-with-etag.ts'
import { STATUS_POLL_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'
import { pollAnswered, serverAnswered } from './connection-state.ts'

/** Longest pause between polls while the server answers 5xx. */
export const SLOWEST_POLL_MS = 30_000

/** Shorter than the default: a poll sent without a network blocks the next one until it times out. */
const POLL_TIMEOUT_MS = 8_000

/** The pause before a poll, with ±10 % jitter so that clients that lost their sockets together spread out. */
export function pollDelay(pauseMs: number, random = Math.random()): number {
  return pauseMs * (0.9 + 0.2 * random)
}

/** The pause after a poll: doubled while the server answers 5xx. */
export function nextPause(pauseMs: number, error: unknown): number {
  const isServerError = error instanceof ApiError && error.status >= 500
  return isServerError ? Math.min(SLOWEST_POLL_MS, pauseMs * 2) : STATUS_POLL_MS
}

/** Whether money moved between two statuses, so that wallet and activity have changed too. */
export function moneyMoved(before: MiningStatus | undefined, after: MiningStatus): boolean {
  if (!before) return false
  return (
    (after.rewardId !== null && after.rewardId !== before.rewardId) ||
    after.pendingRewards !== before.pendingRewards ||
    after.pendingUsdtRewards !== before.pendingUsdtRewards
  )
}

async function pollStatus(stopped: () => boolean): Promise<void> {
  const before = snapshotOf(MINING_URL)
  const queryKey = memberKey(MINING_URL, currentUser()?.id)
  const answer = await readWithEtag(queryKey, 'GET /api/mining/status', POLL_TIMEOUT_MS)
  if (stopped()) return
  receiveSnapshot(MINING_URL, answer)
  const after = snapshotOf(MINING_URL)
  if (after && moneyMoved(before, after)) void refresh(WALLET_URL, ACTIVITY_URL)
}

/** Polls once; resolves to the error of a poll that failed. */
async function poll(stopped: () => boolean): Promise<unknown> {
  try {
    await pollStatus(stopped)
    if (stopped()) return
    pollAnswered(true)
    serverAnswered()
  } catch (error) {
    if (stopped()) return
    pollAnswered(error instanceof ApiError && error.status < 500)
    return error
  }
}

/** Polls every 5 s while the page is visible, until the returned function. */
export function startPolling(): () => void {
  let stopped = false
  let pauseMs = STATUS_POLL_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let busy = false

  const run = async () => {
    clearTimeout(timer)
    if (stopped || busy || document.hidden) return
    busy = true
    pauseMs = nextPause(pauseMs, await poll(() => stopped))
    busy = false
    if (!stopped) timer = setTimeout(run, pollDelay(pauseMs))
  }
  // Delayed and spread, so that clients do not poll a restarted gateway at the same time.
  timer = setTimeout(run, 500 + 500 * Math.random())
  document.addEventListener('visibilitychange', run)
  window.addEventListener('online', run)
  return () => {
    stopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', run)
    window.removeEventListener('online', run)
  }
}
