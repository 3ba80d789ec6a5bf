import { SECOND_MS } from '#rules/constants'

const TICK_MS = 5 * SECOND_MS
/** A tick that comes that late says that page or machine slept; hidden pages tick once a minute. */
const ASLEEP_MS = { visible: 20 * SECOND_MS, hidden: 90 * SECOND_MS }

/**
 * Calls back when somebody looks at the page again, and when it thaws: `slept` says that its timers
 * stood still, so that whatever they guard (a heartbeat, a poll) may be dead without anybody knowing.
 */
export function onResume(woken: (slept: boolean) => void): () => void {
  let aliveAt = Date.now()
  let wasHidden = document.hidden
  let slept = false
  let pending: ReturnType<typeof setTimeout> | undefined

  // One waking has several signs.
  const tell = () => {
    pending ??= setTimeout(() => {
      pending = undefined
      woken(slept)
      slept = false
    }, 0)
  }
  const look = () => {
    const limit = wasHidden ? ASLEEP_MS.hidden : ASLEEP_MS.visible
    const late = Math.abs(Date.now() - aliveAt) > limit
    aliveAt = Date.now()
    slept ||= late
    if (!document.hidden && (wasHidden || late)) tell()
    wasHidden = document.hidden
  }
  const visible = () => {
    wasHidden ||= !document.hidden
    look()
  }
  const thawed = () => {
    slept = true
    if (!document.hidden) tell()
  }
  const shown = ({ persisted }: PageTransitionEvent) => {
    if (persisted) thawed()
  }
  const timer = setInterval(look, TICK_MS)
  document.addEventListener('visibilitychange', visible)
  document.addEventListener('resume', thawed)
  window.addEventListener('pageshow', shown)
  window.addEventListener('online', tell)
  return () => {
    clearInterval(timer)
    clearTimeout(pending)
    document.removeEventListener('visibilitychange', visible)
    document.removeEventListener('resume', thawed)
    window.removeEventListener('pageshow', shown)
    window.removeEventListener('online', tell)
  }
}
