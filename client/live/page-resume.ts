import { SECOND_MS } from '#rules/constants'

const TICK_MS = 5 * SECOND_MS
/** Delay of a tick that proves that the page was suspended; browsers throttle hidden pages to 60 s. */
const SUSPENDED_MS = { visible: 20 * SECOND_MS, hidden: 90 * SECOND_MS }

/** `slept`: the page's timers stood still, so that a heartbeat or poll may have been missed. */
export function onResume(listener: (slept: boolean) => void): () => void {
  let lastTickAt = Date.now()
  let wasHidden = document.hidden
  let slept = false
  let pending: ReturnType<typeof setTimeout> | undefined

  // One resume fires several events; they call back once.
  const notify = () => {
    pending ??= setTimeout(() => {
      pending = undefined
      listener(slept)
      slept = false
    }, 0)
  }
  const check = () => {
    const limit = wasHidden ? SUSPENDED_MS.hidden : SUSPENDED_MS.visible
    const late = Math.abs(Date.now() - lastTickAt) > limit
    lastTickAt = Date.now()
    slept ||= late
    if (!document.hidden && (wasHidden || late)) notify()
    wasHidden = document.hidden
  }
  const onVisibilityChange = () => {
    wasHidden ||= !document.hidden
    check()
  }
  const onUnfreeze = () => {
    slept = true
    if (!document.hidden) notify()
  }
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) onUnfreeze()
  }
  const timer = setInterval(check, TICK_MS)
  document.addEventListener('visibilitychange', onVisibilityChange)
  document.addEventListener('resume', onUnfreeze)
  window.addEventListener('pageshow', onPageShow)
  window.addEventListener('online', notify)
  return () => {
    clearInterval(timer)
    clearTimeout(pending)
    document.removeEventListener('visibilitychange', onVisibilityChange)
    document.removeEventListener('resume', onUnfreeze)
    window.removeEventListener('pageshow', onPageShow)
    window.removeEventListener('online', notify)
  }
}
