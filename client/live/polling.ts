import { QueryObserver } from '@tanstack/react-query'
import { ApiError } from '#client/data/api.ts'
import {
  currentUser,
  INBOX_STATE_URL,
  INBOX_URL,
  MINING_URL,
  memberQueryKey,
  receiveSnapshot,
  snapshotOf,
  TASKS_URL,
} from '#client/data/member-data.ts'
import { queryClient } from '#client/data/query-cache.ts'
import { readWithEtag } from '#client/data/read-with-etag.ts'
import { refresh } from '#client/data/refresh.ts'
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

/** A read that is slower than the polls would never end if each began it anew. */
const readUnlessRunning = async (url: string) => {
  if (queryClient.isFetching({ queryKey: [url] }) === 0) await refresh(url)
}

/** The first poll is delayed and spread, so that clients do not poll a restarted gateway at the same time. */
export function startPolling(firstMs = 500): () => void {
  const memberId = currentUser()?.id
  let stopped = false
  let pauseMs = STATUS_POLL_MS
  let bell = snapshotOf(INBOX_STATE_URL)
  let moneyReadAt = performance.now()

  async function readStatus(): Promise<void> {
    const queryKey = memberQueryKey(MINING_URL, memberId)
    const answer = await readWithEtag(queryKey, 'GET /api/mining/status', POLL_TIMEOUT_MS)
    if (!stopped) receiveSnapshot(MINING_URL, answer)
  }

  async function readBell(): Promise<void> {
    await readUnlessRunning(INBOX_STATE_URL)
    if (stopped) return
    const before = bell
    bell = snapshotOf(INBOX_STATE_URL)
    if (!before || !bell) return
    const { newest, announcements } = bell
    if (newest === before.newest && announcements === before.announcements) return
    void refresh(INBOX_URL)
    // Corrections and milestones write a row.
    if (newest !== before.newest) readMoney()
  }

  function readMoney(): void {
    moneyReadAt = performance.now()
    void refetchMoney()
  }

  function report(error: unknown): void {
    if (stopped) return
    pauseMs = nextPause(pauseMs, error)
    pollAnswered(error === undefined || (error instanceof ApiError && error.status < 500))
    if (error !== undefined) return
    serverAnswered()
    // Only a screen that shows tasks reads them.
    void readUnlessRunning(TASKS_URL)
    // A task that another device claimed changes neither status nor bell.
    if (performance.now() - moneyReadAt >= MINUTE_MS) readMoney()
  }

  // A separate query: its result is not mistaken for the status, and its failure shows no error.
  const observer = new QueryObserver(queryClient, {
    queryKey: ['poll', MINING_URL, memberId],
    async queryFn() {
      if (document.hidden || stopped) return null
      // Its failure says nothing about the connection, and only makes the bell late.
      void readBell()
      report(await readStatus().catch((error: unknown) => error))
      return null
    },
    refetchInterval: () => pollDelay(pauseMs),
    refetchOnMount: false,
    gcTime: 0,
  })
  // A running poll is not repeated.
  const pollNow = () => void observer.refetch({ cancelRefetch: false })
  let stopObserving = () => {}
  const first = setTimeout(
    () => {
      stopObserving = observer.subscribe(() => {})
      pollNow()
    },
    firstMs + 500 * Math.random(),
  )
  document.addEventListener('visibilitychange', pollNow)
  window.addEventListener('online', pollNow)
  return () => {
    stopped = true
    clearTimeout(first)
    stopObserving()
    document.removeEventListener('visibilitychange', pollNow)
    window.removeEventListener('online', pollNow)
  }
}
