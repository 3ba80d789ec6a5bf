import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 400
/** A check that got no answer is asked again, as long as the value stands. */
const RETRY_MS = 5_000

/** What the server says about a value while it is being typed. */
export type LiveCheck<A> =
  | { state: 'unknown' }
  | { state: 'checking' }
  | { state: 'failed' }
  | { state: 'answered'; answer: A }

type Asked<A> = { value: string; check: LiveCheck<A> }

/**
 * Asks about `value` once it rests; null is not worth asking. An answer counts only for the value
 * that it was asked about.
 * @param ask stays the same function from render to render
 */
export function useLiveCheck<A>(
  value: string | null,
  ask: (value: string) => Promise<A>,
): LiveCheck<A> {
  const [asked, setAsked] = useState<Asked<A> | null>(null)
  useEffect(() => {
    if (value === null) return
    let timer: ReturnType<typeof setTimeout>
    let gone = false
    const settle = (check: LiveCheck<A>) => {
      if (!gone) setAsked({ value, check })
    }
    const run = () => {
      ask(value).then(
        (answer) => settle({ state: 'answered', answer }),
        () => {
          settle({ state: 'failed' })
          if (!gone) timer = setTimeout(run, RETRY_MS)
        },
      )
    }
    timer = setTimeout(run, DEBOUNCE_MS)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [value, ask])
  if (value === null) return { state: 'unknown' }
  return asked?.value === value ? asked.check : { state: 'checking' }
}
