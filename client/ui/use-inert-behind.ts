import { useLayoutEffect } from 'react'

/** Radix marks by this what it hides from screen readers behind a list. */
const HIDDEN = '[data-aria-hidden]:not([inert])'

/**
 * While a list is open, what it hides behind it can not be focused either: an element that takes
 * the focus and is hidden from a screen reader contradicts itself.
 */
export function useInertBehind(open: boolean): void {
  useLayoutEffect(() => {
    if (!open) return
    let behind: Element[] = []
    // Radix hides it once the list has been drawn.
    const frame = requestAnimationFrame(() => {
      behind = [...document.querySelectorAll(HIDDEN)]
      for (const one of behind) one.setAttribute('inert', '')
    })
    // Before the list is taken away: the focus goes back to the button that opened it.
    return () => {
      cancelAnimationFrame(frame)
      for (const one of behind) one.removeAttribute('inert')
    }
  }, [open])
}
