import { hashKey, type Query, type QueryKey } from '@tanstack/react-query'
import { SECOND_MS } from '#rules/constants'
import { isSignedOut } from './api.ts'
import { APP_INFO_URL, queryClient, signInAtom, store, userQueryKey } from './query-cache.ts'

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
export function refresh(...urls: string[]): Promise<void> {
  if (batch?.signIn !== store.get(signInAtom)) batch = newBatch()
  if (urls.length === 0) batch.urls = null
  for (const url of urls) batch.urls?.add(url)
  return batch.read
}

/** Leaves a read that runs: one that is slower than its repetitions would never end. */
export async function refreshUnlessRunning(url: string): Promise<void> {
  if (queryClient.isFetching({ queryKey: [url] }) === 0) await refresh(url)
}

const REPEAT_MS = 5 * SECOND_MS
const SLOWEST_REPEAT_MS = 30 * SECOND_MS

/** Pause before a read that has failed so often is repeated, real ms; doubled up to the slowest. */
const repeatMs = (failed: number) =>
  Math.min(SLOWEST_REPEAT_MS, REPEAT_MS * 2 ** (failed - 1)) * (0.75 + Math.random() / 2)

/** How often in a row a read has failed while the screen kept an older value, by the hash of its query. */
const failures = new Map<string, number>()

type Result<T> = { state: { data: T | undefined } }

/** Exceptions to the cache rules, ms: the age that a value may have on opening, and the interval while visible. */
export type Freshness<T> = {
  staleTime?: number
  refetchInterval?: number | ((query: Result<T>) => number | false)
  /** Shown instead of the error of a first read. */
  empty?: T
}

/** A failed refresh keeps the cached value and is repeated; only a first load shows its error. */
export function keptQuery<T>(queryKey: QueryKey, read: () => Promise<T>, own: Freshness<T> = {}) {
  const { staleTime = Number.POSITIVE_INFINITY, refetchInterval = false, empty } = own
  const hash = hashKey(queryKey)
  return {
    queryKey,
    async queryFn(): Promise<T> {
      const failed = failures.get(hash) ?? 0
      failures.delete(hash)
      try {
        return await read()
      } catch (error) {
        const cached = queryClient.getQueryData<T>(queryKey)
        const kept = cached === undefined ? empty : cached
        if (kept === undefined || isSignedOut(error)) throw error
        failures.set(hash, failed + 1)
        return kept
      }
    },
    // The next screen that shows it reads it.
    staleTime: () => (failures.has(hash) ? 0 : staleTime),
    refetchInterval(query: Result<T>) {
      const failed = failures.get(hash)
      if (failed) return repeatMs(failed)
      return typeof refetchInterval === 'function' ? refetchInterval(query) : refetchInterval
    },
  }
}

/** Repeats the reads whose failure is on the screen, or left an older value there. */
export function retryFailedReads(): void {
  void queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state, queryHash }) => state.status === 'error' || failures.has(queryHash),
  })
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
