import type { Query } from '@tanstack/react-query'
import { APP_INFO_URL, queryClient, signInAtom, store, USER_URL, userKey } from './query-cache.ts'

/**
 * Real ms over which reasons to read are collected: the answer to a command and the push about it
 * lead to one read.
 */
const REFRESH_WINDOW_MS = 100

/** Read again by their own rules only. */
const OWN_RULES: readonly unknown[] = [USER_URL, APP_INFO_URL]

/** The URLs to read for one sign-in; `urls` is null for all. */
type Batch = { urls: Set<unknown> | null; signIn: number; read: Promise<void> }

let batch: Batch | null = null

function newBatch(): Batch {
  const pause = new Promise<void>((resolve) => setTimeout(resolve, REFRESH_WINDOW_MS))
  const created: Batch = {
    urls: new Set(),
    signIn: store.get(signInAtom),
    read: pause.then(() => readBatch(created)),
  }
  return created
}

async function readBatch(read: Batch): Promise<void> {
  if (batch === read) batch = null
  const { urls, signIn } = read
  if (signIn !== store.get(signInAtom)) return
  const filters = {
    // Longer keys are older pages, checks and polls, which follow other rules.
    predicate: ({ queryKey: { 0: url, length } }: Query) =>
      length <= 2 && (urls ? urls.has(url) : !OWN_RULES.includes(url)),
  }
  await queryClient.cancelQueries(filters, { revert: false, silent: true })
  await queryClient.invalidateQueries({ ...filters, refetchType: 'active' })
  // The query client notifies the atoms in a 0 ms timer.
  await new Promise((resolve) => setTimeout(resolve, 0))
}

/**
 * Reads mounted queries of these URLs again (without any: all of the member); the others are read on
 * their next mount. Running requests are repeated, since their answers may be older than the reason
 * for this call. Resolves when they are read.
 */
export function refresh(...urls: string[]): Promise<void> {
  if (batch?.signIn !== store.get(signInAtom)) batch = newBatch()
  if (urls.length === 0) batch.urls = null
  for (const url of urls) batch.urls?.add(url)
  return batch.read
}

/** Repeats the reads whose failure is on the screen. */
export function retryFailedReads(): void {
  void queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error',
  })
}

/** Reads again who is signed in, after a call was rejected as anonymous. */
export function recheckUser(): void {
  // Without `cancelRefetch` calls that are rejected at the same time share one request.
  void queryClient.invalidateQueries({ queryKey: userKey }, { cancelRefetch: false })
}

/** Reads the user again after a change: a read that runs already may be older than it. */
export function rereadUser(): void {
  void queryClient.invalidateQueries({ queryKey: userKey })
}
