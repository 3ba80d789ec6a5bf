import { MINING_URL, memberIdAtom, miningAtom, snapshotOf } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'

/** Of the Badging API, which Firefox does not have. */
type BadgeDevice = { setAppBadge?(): Promise<void>; clearAppBadge?(): Promise<void> }

/** What tells that the path has changed; wouter sends the last two. */
const MOVES = ['popstate', 'pushState', 'replaceState']

const isOnMine = () => !document.hidden && /^\/mine\/?$/.test(window.location.pathname)

/**
 * Marks the icon of the installed app when a session is over, until the next one starts or the member opens
 * Mine, or signs out. Ends with the returned function. The service worker marks it with a reminder.
 */
export function followBadge(device: BadgeDevice = navigator): () => void {
  let wasActive = false
  // Some systems show badges only with permission for notifications.
  const set = () => void device.setAppBadge?.().catch(() => {})
  const clear = () => void device.clearAppBadge?.().catch(() => {})

  function onStatus(): void {
    const status = snapshotOf(MINING_URL)
    const isActive = status?.active ?? false
    if (isActive && !wasActive) clear()
    if (wasActive && status?.session?.isCompleted && !isActive && !isOnMine()) set()
    wasActive = isActive
  }
  const onMove = () => {
    if (isOnMine()) clear()
  }
  const onMember = () => {
    if (store.get(memberIdAtom) === undefined) clear()
  }
  const stops = [store.sub(miningAtom, onStatus), store.sub(memberIdAtom, onMember)]
  for (const move of MOVES) window.addEventListener(move, onMove)
  document.addEventListener('visibilitychange', onMove)
  onStatus()
  onMove()
  return () => {
    for (const stop of stops) stop()
    for (const move of MOVES) window.removeEventListener(move, onMove)
    document.removeEventListener('visibilitychange', onMove)
  }
}
