import { type RefObject, useEffect, useState } from 'react'
import { whenIdle } from '#client/loading/when-idle.ts'

const EVENTS = ['scroll', 'resize']

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom >= 0 && top < innerHeight
}

/**
 * Whether the element was on the screen since it was mounted, for pages with endless animations: like
 * `useSeen`, but without an IntersectionObserver, for whose sake Chromium runs the main thread in each
 * frame of an animated transform.
 */
export function useScrolledTo(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen) return
    const check = () => {
      if (element.current && isOnScreen(element.current)) setSeen(true)
    }
    // Measured at once, it would make the first render lay out the page twice.
    void whenIdle().then(check)
    for (const name of EVENTS) addEventListener(name, check, { passive: true })
    return () => {
      for (const name of EVENTS) removeEventListener(name, check)
    }
  }, [seen, element])
  return seen
}
