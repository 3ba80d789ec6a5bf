import { memberIdAtom, miningAtom, snapshotOf } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'

/** Of the Badging API, which Firefox does not have. */
type BadgeDevice = { setAppBadge?(): Promise<void>; clearAppBadge?(): Promise<void> }

/** What tells that the path has changed; wouter sends the last two. */
const MOVES = ['popstate', 'pushState', 'replaceState']

const MINE = /^\/mine\/?$/
/** Where notifications lead (workers/reminders/notifications.ts). */
const NOTIFIED = /^\/(?:mine|inbox|team)\/?$/

const isOn = (screen: RegExp) => !document.hidden && screen.test(window.location.pathname)

/**
 * Marks the icon of the installed app when a session is over, until the next one starts, the member signs out or
 * opens a screen that notifications lead to. The service worker marks it with a notification.
 */
export function followBadge(device: BadgeDevice = navigator): () => void {
  let wasActive = false
  // Some systems show badges only with permission for notifications.
  const set = () => void device.setAppBadge?.().catch(() => {})
  const clear = () => void device.clearAppBadge?.().catch(() => {})

  function onStatus(): void {
    const status = snapshotOf('/api/mining/status')
    const isActive = status?.active ?? false
    if (isActive && !wasActive) clear()
    if (wasActive && status?.session?.isCompleted && !isActive && !isOn(MINE)) set()
    wasActive = isActive
  }
  const onMove = () => {
    if (isOn(NOTIFIED)) clear()
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
