import type { Query } from '@tanstack/react-query'
import { SECOND_MS } from '#rules/constants'
import { isSignedOut } from './api.ts'
import {
  APP_INFO_URL,
  type CacheUrl,
  queryClient,
  signInAtom,
  store,
  userQueryKey,
} from './query-cache.ts'

/** Real ms over which reads are collected: a command's answer and the push about it lead to one read. */
const REFRESH_WINDOW_MS = 100

/** `urls` is null for all. */
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
    // Longer keys are older pages and checks, which follow other rules.
    predicate: ({ queryKey: { 0: url, length } }: Query) =>
      length <= 2 && (urls ? urls.has(url) : url !== APP_INFO_URL),
  }
  await queryClient.cancelQueries(filters, { revert: false, silent: true })
  await queryClient.invalidateQueries({ ...filters, refetchType: 'active' })
  // The query client notifies the atoms in a 0 ms timer.
  await new Promise((resolve) => setTimeout(resolve, 0))
}

/**
 * Reads mounted queries of these URLs again; without any, the user and all of the member. Others are read on their
 * next mount. Running requests are repeated, since their answers may be older than the reason for this call.
 */
export function refresh(...urls: CacheUrl[]): Promise<void> {
  if (batch?.signIn !== store.get(signInAtom)) batch = newBatch()
  if (urls.length === 0) batch.urls = null
  for (const url of urls) batch.urls?.add(url)
  return batch.read
}

/** Leaves a read that runs: one that is slower than its repetitions would never end. */
export async function refreshUnlessRunning(url: CacheUrl): Promise<void> {
  if (queryClient.isFetching({ queryKey: [url] }) === 0) await refresh(url)
}

/** Pause before failed reads are repeated, real ms; doubled up to the slowest while they fail. */
const REPEAT_MS = 5 * SECOND_MS
const SLOWEST_REPEAT_MS = 30 * SECOND_MS

/** URLs of one sign-in whose last read failed while the screen kept an older value. */
type FailedReads = { urls: Set<CacheUrl>; signIn: number }

let failed: FailedReads | null = null

/** A failed refresh keeps the cached value and is repeated; only a first load shows its error. */
export async function readOrKeep<T>(
  queryKey: readonly [CacheUrl, ...unknown[]],
  read: () => Promise<T>,
): Promise<T> {
  const [url] = queryKey
  try {
    const answer = await read()
    if (failed?.urls.delete(url) && failed.urls.size === 0) failed = null
    return answer
  } catch (error) {
    const cached = queryClient.getQueryData<T>(queryKey)
    if (cached === undefined || isSignedOut(error)) throw error
    noteFailure(url)
    return cached
  }
}

function noteFailure(url: CacheUrl): void {
  const signIn = store.get(signInAtom)
  if (failed?.signIn !== signIn) {
    failed = { urls: new Set(), signIn }
    void repeatReads(failed)
  }
  failed.urls.add(url)
}

/** Repeats failed reads until they succeed, no screen shows them, or the sign-in has ended. */
async function repeatReads(reads: FailedReads): Promise<void> {
  let pauseMs = REPEAT_MS
  do {
    const ms = pauseMs * (0.75 + Math.random() / 2)
    await new Promise((resolve) => setTimeout(resolve, ms))
    if (failed !== reads || reads.signIn !== store.get(signInAtom)) return
    pauseMs = Math.min(SLOWEST_REPEAT_MS, pauseMs * 2)
    // Hidden pages do not poll either, and read everything when they are shown.
    if (document.hidden) continue
    const urls = [...reads.urls]
    // Another failure adds its URL again.
    reads.urls.clear()
    await refresh(...urls)
  } while (reads.urls.size > 0)
  if (failed === reads) failed = null
}

/** Repeats the reads whose failure is on the screen, or left an older value there. */
export function retryFailedReads(): void {
  void queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error',
  })
  if (failed && failed.urls.size > 0) void refresh(...failed.urls)
}

/** Reads again who is signed in, after a call was rejected as anonymous. */
export function recheckUser(): void {
  // Without `cancelRefetch` calls that are rejected at the same time share one request.
  void queryClient.invalidateQueries({ queryKey: userQueryKey }, { cancelRefetch: false })
}

/** Reads the user again after a change: a read that runs already may be older than it. */
export function rereadUser(): void {
  void queryClient.invalidateQueries({ queryKey: userQueryKey })
}
