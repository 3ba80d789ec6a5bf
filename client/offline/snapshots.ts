import { type DehydratedState, dehydrate, hydrate, type Query } from '@tanstack/react-query'
import {
  currentUser,
  isRestored,
  memberInCookie,
  memberQueryKey,
  setRestore,
} from '#client/data/member-data.ts'
import { productNow, setProductClock } from '#client/data/product-clock.ts'
import { queryClient, store } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import { isRecord, storage } from '#client/data/storage.ts'
import { connectionAtom, onServerAnswer, showRestored } from '#client/live/connection-state.ts'
import { SECOND_MS } from '#rules/constants'
import type { User } from '#rules/members/account-snapshots'
import type { MiningStatus } from '#rules/snapshots'

/** For a start without a network. They live as long as the sign-in: the marker cookie names their owner. */
type Stored = {
  /** Only the client version that wrote it reads it. */
  version: string
  user: User
  cache: DehydratedState
  /** Real ms. */
  lastContactAt: number
  /** Real ms. */
  savedAt: number
  /** Product time at `savedAt`, ms; null before the first status. */
  productNow: number | null
}

function readLastSnapshots(): Stored | null {
  const owner = memberInCookie()
  const stored = owner === undefined ? undefined : storage.readFor(owner, 'snapshots')
  if (!isRecord(stored) || stored.version !== __APP_VERSION__) return null
  if (!isRecord(stored.user) || stored.user.id !== owner || !isRecord(stored.cache)) return null
  return stored as Stored
}

/** Product time goes on from the stored one. */
function restoreUser(): User | null {
  const last = readLastSnapshots()
  if (!last) return null
  const { user, cache, lastContactAt, savedAt, productNow } = last
  hydrate(queryClient, cache)
  const status = queryClient.getQueryData<MiningStatus>(
    memberQueryKey('/api/mining/status', user.id),
  )
  if (status && productNow !== null) {
    const passed = Math.max(0, Date.now() - savedAt) * status.speed
    setProductClock({ serverNow: new Date(productNow + passed).toISOString(), speed: status.speed })
  }
  showRestored(lastContactAt)
  return user
}

function confirmRestored(): void {
  if (isRestored()) void refresh()
}

/** Real ms until a start shows stored snapshots: a silent network would hold it until the request times out. */
export const RESTORE_MS = 3 * SECOND_MS

export function startRestore(): () => void {
  setRestore(restoreUser, () => (readLastSnapshots() ? RESTORE_MS : undefined))
  return onServerAnswer(confirmRestored)
}

/** Changes within this time are stored together, real ms. */
const DEBOUNCE_MS = SECOND_MS

/** A query of the member with one value, which excludes older pages. */
function isSnapshotOf(memberId: number, { queryKey, state }: Query): boolean {
  return queryKey.length === 2 && queryKey[1] === memberId && state.status === 'success'
}

function save(): void {
  const user = currentUser()
  // Restored snapshots are stored again only after the server has confirmed them.
  if (!user || isRestored()) return
  const cache = dehydrate(queryClient, {
    shouldDehydrateQuery: (query) => isSnapshotOf(user.id, query),
    shouldDehydrateMutation: () => false,
  })
  // What was read in an earlier visit and not yet in this one.
  const read = new Set(cache.queries.map(({ queryHash }) => queryHash))
  const earlier = readLastSnapshots()?.cache.queries ?? []
  const { state, lastContactAt } = store.get(connectionAtom)
  const now = Date.now()
  const stored: Stored = {
    version: __APP_VERSION__,
    user,
    cache: {
      mutations: [],
      queries: [...cache.queries, ...earlier.filter(({ queryHash }) => !read.has(queryHash))],
    },
    lastContactAt: state === 'live' ? now : lastContactAt,
    savedAt: now,
    productNow: productNow(),
  }
  storage.writeFor(user.id, 'snapshots', stored)
}

export function keepSnapshots(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const saveSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      save()
    }, DEBOUNCE_MS)
  }
  const saveIfHidden = () => {
    if (document.hidden) save()
  }
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.data !== undefined) saveSoon()
  })
  document.addEventListener('visibilitychange', saveIfHidden)
  window.addEventListener('pagehide', save)
  return () => {
    clearTimeout(timer)
    stop()
    document.removeEventListener('visibilitychange', saveIfHidden)
    window.removeEventListener('pagehide', save)
  }
}
