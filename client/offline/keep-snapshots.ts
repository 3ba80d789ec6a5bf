import {
  ACTIVITY_URL,
  currentUser,
  isRestored,
  MINING_URL,
  queryClient,
  snapshotOf,
  store,
  WALLET_URL,
} from '#client/data/member-data.ts'
import { productNow } from '#client/data/product-clock.ts'
import { connectionAtom } from '#client/live/connection-state.ts'
import { SECOND_MS } from '#rules/constants'
import { keepLastSnapshots, readLastSnapshots } from './last-snapshots.ts'

/** Changes that come together are kept together. */
const PAUSE_MS = SECOND_MS

const URLS = [MINING_URL, WALLET_URL, ACTIVITY_URL] as const

function keep(): void {
  const user = currentUser()
  // What came from the device goes back to it only once the server has confirmed it.
  if (!user || isRestored()) return
  const { state, heardAt } = store.get(connectionAtom)
  const fresh = URLS.map((url) => [url, snapshotOf(url)]).filter(([, one]) => one !== undefined)
  const now = Date.now()
  keepLastSnapshots({
    user,
    snapshots: { ...readLastSnapshots()?.snapshots, ...Object.fromEntries(fresh) },
    heardAt: state === 'live' ? now : heardAt,
    keptAt: now,
    productNow: productNow(),
  })
}

/** Keeps what the member is shown on the device: after each change, and when the page is left. */
export function startKeeping(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      keep()
    }, PAUSE_MS)
  }
  const left = () => {
    if (document.hidden) keep()
  }
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.data !== undefined) soon()
  })
  document.addEventListener('visibilitychange', left)
  window.addEventListener('pagehide', keep)
  return () => {
    clearTimeout(timer)
    stop()
    document.removeEventListener('visibilitychange', left)
    window.removeEventListener('pagehide', keep)
  }
}
