import {
  ACTIVITY_URL,
  currentUser,
  MINING_URL,
  queryClient,
  snapshotOf,
  store,
  WALLET_URL,
} from '#client/data/member-data.ts'
import { productNow } from '#client/data/product-clock.ts'
import { connectionAtom } from '#client/live/connection-state.ts'
import { SECOND_MS } from '#rules/constants'
import { readLastSnapshots, saveLastSnapshots } from './last-snapshots.ts'
import { isRestored } from './restore.ts'

/** Changes within this time are stored together, real ms. */
const DEBOUNCE_MS = SECOND_MS

const URLS = [MINING_URL, WALLET_URL, ACTIVITY_URL] as const

function save(): void {
  const user = currentUser()
  // Restored snapshots are stored again only after the server has confirmed them.
  if (!user || isRestored()) return
  const { state, lastContactAt } = store.get(connectionAtom)
  const present = URLS.map((url) => [url, snapshotOf(url)]).filter(([, one]) => one !== undefined)
  const now = Date.now()
  saveLastSnapshots({
    user,
    snapshots: { ...readLastSnapshots()?.snapshots, ...Object.fromEntries(present) },
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
