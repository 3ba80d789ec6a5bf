import { ApiError } from '#client/data/api.ts'
import { readStatus, receiveSnapshot, snapshotOf } from '#client/data/member-data.ts'
import { refresh, refreshUnlessRunning } from '#client/data/refresh.ts'
import { MINUTE_MS, STATUS_POLL_MS } from '#rules/constants'
import { pollAnswered, serverAnswered } from './connection-state.ts'
import { refetchMoney } from './refetch-wallet.ts'

/** Longest pause between polls while the server answers 5xx. */
export const SLOWEST_POLL_MS = 30_000

/** Shorter than the default: a poll sent without a network blocks the next one until it times out. */
const POLL_TIMEOUT_MS = 8_000

/** 78 to 88 %: the rest of 5 s is for the answers, and jitter spreads clients that lost their sockets together. */
export function pollDelay(pauseMs: number, random = Math.random()): number {
  return pauseMs * (0.78 + 0.1 * random)
}

export function nextPause(pauseMs: number, error: unknown): number {
  const isServerError = error instanceof ApiError && error.status >= 500
  return isServerError ? Math.min(SLOWEST_POLL_MS, pauseMs * 2) : STATUS_POLL_MS
}

/** The first poll is delayed and spread, so that clients do not poll a restarted gateway at the same time. */
export function startPolling(firstMs = 500): () => void {
  let stopped = false
  let isPolling = false
  let pauseMs = STATUS_POLL_MS
  let bell = snapshotOf('/api/inbox/state')
  let moneyReadAt = performance.now()

  async function pollStatus(): Promise<void> {
    const answer = await readStatus(POLL_TIMEOUT_MS)
    if (!stopped) receiveSnapshot('/api/mining/status', answer)
  }

  async function readBell(): Promise<void> {
    await refreshUnlessRunning('/api/inbox/state')
    if (stopped) return
    const before = bell
    bell = snapshotOf('/api/inbox/state')
    if (!before || !bell) return
    const { newest, announcements } = bell
    if (newest === before.newest && announcements === before.announcements) return
    void refresh('/api/inbox')
    // Corrections and milestones write a row.
    if (newest === before.newest) return
    readMoney()
    // A row tells of who joined. Only a screen that shows the team reads it.
    void refreshUnlessRunning('/api/referral/info')
  }

  function readMoney(): void {
    moneyReadAt = performance.now()
    void refetchMoney()
  }

  function report(error: unknown): void {
    pollAnswered(error === undefined || (error instanceof ApiError && error.status < 500))
    if (error !== undefined) return
    serverAnswered()
    // Only a screen that shows tasks reads them.
    void refreshUnlessRunning('/api/tasks')
    // A task that another device claimed changes neither status nor bell.
    if (performance.now() - moneyReadAt >= MINUTE_MS) readMoney()
  }

  let timer = setTimeout(poll, firstMs + 500 * Math.random())
  const pollLater = () => {
    clearTimeout(timer)
    timer = setTimeout(poll, pollDelay(pauseMs))
  }

  async function poll(): Promise<void> {
    pollLater()
    if (document.hidden || isPolling) return
    isPolling = true
    // Its failure says nothing about the connection, and only makes the bell late.
    void readBell()
    const error = await pollStatus().catch((error: unknown) => error)
    isPolling = false
    if (stopped) return
    pauseMs = nextPause(pauseMs, error)
    pollLater()
    report(error)
  }

  document.addEventListener('visibilitychange', poll)
  window.addEventListener('online', poll)
  return () => {
    stopped = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', poll)
    window.removeEventListener('online', poll)
  }
}
