import { useEffect, useState } from 'react'
import { SECOND_MS } from '#rules/constants'

export type Countdown = {
  /** Whole seconds left for the current key; 0 without a wait. */
  seconds: number
  /** Starts the wait of `key`, which ends `ms` from now. */
  start: (key: string, ms: number) => void
}

/**
 * The wait before the next code for `key`, such as an e-mail address. Counts from the wall clock, so
 * it stays correct after the browser suspended the page's timers.
 */
export function useCountdown(key: string, until = 0): Countdown {
  const [wait, setWait] = useState({ key, until })
  const [now, setNow] = useState(() => Date.now())
  const running = wait.key === key && wait.until > now
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [running])
  const start = (startedKey: string, ms: number) => {
    const startedAt = Date.now()
    setNow(startedAt)
    setWait({ key: startedKey, until: startedAt + ms })
  }
  return { seconds: running ? Math.ceil((wait.until - now) / SECOND_MS) : 0, start }
}
