import { useEffect, useRef, useState } from 'react'
import { LONGEST_ANIMATION_MS } from '#client/ui/animation.ts'
import { prefersReducedMotion } from '#client/ui/theme.ts'
import { fromUnits, type Money, toUnits } from '#rules/money/money'

const STEPS = 10_000

/** The eased amount between two amounts; `share` 0…1. */
export function between(from: Money, to: Money, share: number): Money {
  const eased = 1 - (1 - Math.min(1, Math.max(0, share))) ** 3
  const step = BigInt(Math.round(eased * STEPS))
  return fromUnits(toUnits(from) + ((toUnits(to) - toUnits(from)) * step) / BigInt(STEPS))
}

const skipsAnimation = () => document.hidden || prefersReducedMotion()

/** The amount; counts up to a larger one while the page is visible. */
export function useCountUp(amount: Money): Money {
  const [shown, setShown] = useState(amount)
  const from = useRef(amount)
  useEffect(() => {
    const start = from.current
    if (toUnits(amount) <= toUnits(start) || skipsAnimation()) {
      from.current = amount
      setShown(amount)
      return
    }
    const startedAt = performance.now()
    const step = (now: number) => {
      const share = (now - startedAt) / LONGEST_ANIMATION_MS
      from.current = between(start, amount, share)
      setShown(from.current)
      if (share < 1) frame = requestAnimationFrame(step)
    }
    let frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }, [amount])
  return shown
}
