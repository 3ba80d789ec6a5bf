import { useEffect, useState } from 'react'

/** How long a button shows that it has copied (Specification §9). */
const COPIED_MS = 2_000

/** The outcome that a button shows for two seconds, or null; each call of the function starts them again. */
export function useOutcome<Outcome>(): [Outcome | null, (outcome: Outcome) => void] {
  const [shown, setShown] = useState<{ outcome: Outcome } | null>(null)
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(null), COPIED_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return [shown === null ? null : shown.outcome, (outcome) => setShown({ outcome })]
}
