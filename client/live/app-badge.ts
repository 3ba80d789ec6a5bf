import { memberIdAtom, miningAtom, snapshotOf } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'

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
export function followBadge(): void {
  let wasActive = false
  // Firefox has no badges; some systems show them only with permission for notifications.
  const set = () => void navigator.setAppBadge?.().catch(() => {})
  const clear = () => void navigator.clearAppBadge?.().catch(() => {})

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
  store.sub(miningAtom, onStatus)
  store.sub(memberIdAtom, onMember)
  for (const move of MOVES) window.addEventListener(move, onMove)
  document.addEventListener('visibilitychange', onMove)
  onStatus()
  onMove()
}
