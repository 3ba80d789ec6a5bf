import { useLayoutEffect } from 'react'

/** Elements that Radix hides from screen readers behind an open list. */
const HIDDEN = '[data-aria-hidden]:not([inert])'

/**
 * Makes the elements behind an open list inert, because an element hidden from screen readers must
 * not be focusable.
 */
export function useInertBehind(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return
    let hidden: Element[] = []
    // Radix hides the elements after the list is rendered.
    const frame = requestAnimationFrame(() => {
      hidden = [...document.querySelectorAll(HIDDEN)]
      for (const element of hidden) element.setAttribute('inert', '')
    })
    // Before the list is removed, because the focus then returns to the button that opened it.
    return () => {
      cancelAnimationFrame(frame)
      for (const element of hidden) element.removeAttribute('inert')
    }
  }, [open])
}
