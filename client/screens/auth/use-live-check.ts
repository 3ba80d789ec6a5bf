import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 400
/** Pause before a failed check of an unchanged value is repeated. */
const RETRY_MS = 5_000

/** State of a server-side check of a value while it is typed. */
export type LiveCheck<A> =
  | { state: 'unknown' }
  | { state: 'checking' }
  | { state: 'failed' }
  | { state: 'answered'; answer: A }

type Checked<A> = { value: string; state: LiveCheck<A> }

/**
 * Checks `value` after a pause in typing; null is not checked. An answer counts only for the value
 * that was checked.
 * @param check must be the same function on every render
 */
export function useLiveCheck<A>(
  value: string | null,
  check: (value: string) => Promise<A>,
): LiveCheck<A> {
  const [checked, setChecked] = useState<Checked<A> | null>(null)
  useEffect(() => {
    if (value === null) return
    let timer: ReturnType<typeof setTimeout>
    let cancelled = false
    const settle = (state: LiveCheck<A>) => {
      if (!cancelled) setChecked({ value, state })
    }
    const run = () => {
      check(value).then(
        (answer) => settle({ state: 'answered', answer }),
        () => {
          settle({ state: 'failed' })
          if (!cancelled) timer = setTimeout(run, RETRY_MS)
        },
      )
    }
    timer = setTimeout(run, DEBOUNCE_MS)
    return () => {
      cancelled = true
      clearTimeout(timer)
    }
  }, [value, check])
  if (value === null) return { state: 'unknown' }
  return checked?.value === value ? checked.state : { state: 'checking' }
}
