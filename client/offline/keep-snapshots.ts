import { dehydrate, type Query } from '@tanstack/react-query'
import { currentUser, queryClient, store } from '#client/data/member-data.ts'
import { productNow } from '#client/data/product-clock.ts'
import { connectionAtom } from '#client/live/connection/connection-state.ts'
import { SECOND_MS } from '#rules/constants'
import { readLastSnapshots, saveLastSnapshots } from './last-snapshots.ts'
import { isRestored } from './restore.ts'

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
  saveLastSnapshots({
    user,
    cache: {
      mutations: [],
      queries: [...cache.queries, ...earlier.filter(({ queryHash }) => !read.has(queryHash))],
    },
    lastContactAt: state === 'live' ? now : lastContactAt,
    savedAt: now,
    productNow: productNow(),
  })
}

/** Stores the member's snapshots after each change and when the page is hidden or left. */
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
