import { type Atom, atom, useAtomValue } from 'jotai'
import { type RefObject, useEffect, useState } from 'react'
import { whenIdle } from '#client/first-load/when-idle.ts'

const SCROLL_EVENTS = ['scroll', 'resize']

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom >= 0 && top < innerHeight
}

/**
 * Whether the element was on the screen since its mount. On a page with endless animations an IntersectionObserver
 * would make Chromium run the main thread in each frame of an animated transform.
 */
function useScrolledTo(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (seen) return
    const check = () => {
      if (element.current && isOnScreen(element.current)) setSeen(true)
    }
    // Content above it may disappear without a scroll.
    const sizes = new ResizeObserver(check)
    let isLeft = false
    // Measuring at once would make the first render lay out the page twice.
    void whenIdle().then(() => {
      check()
      if (!isLeft) sizes.observe(document.body)
    })
    for (const name of SCROLL_EVENTS) addEventListener(name, check, { passive: true })
    return () => {
      isLeft = true
      sizes.disconnect()
      for (const name of SCROLL_EVENTS) removeEventListener(name, check)
    }
  }, [seen, element])
  return seen
}

const UNREAD = atom<{ data?: undefined }>({})

/** The data of a query that is read when the element was on the screen; undefined before and until it is answered. */
export function useReadWhenSeen<T>(
  query: Atom<{ data?: T | undefined }>,
  element: RefObject<Element | null>,
): T | undefined {
  return useAtomValue(useScrolledTo(element) ? query : UNREAD).data
}
