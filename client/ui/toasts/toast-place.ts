import { useLayoutEffect, useRef } from 'react'
import { lastPressed } from '#client/ui/last-input.ts'

/** On a touch screen a focused field has the keyboard open, which covers the bottom of the page. */
const hasKeyboard = () =>
  matchMedia('(pointer: coarse)').matches && document.activeElement?.matches('input, textarea')

/** Public pages end with their submit button, which a toast at the bottom would cover. */
const hasNavigation = () => document.querySelector('nav') !== null

function covers(toast: DOMRect, other: DOMRect | undefined): boolean {
  if (!other || other.width === 0) return false
  const beside = other.right <= toast.left || other.left >= toast.right
  return !beside && other.bottom > toast.top && other.top < toast.bottom
}

/** Whether a toast stands beside the column of the page, so that it covers nothing of it. */
function isBeside(toast: DOMRect): boolean {
  const column = document.querySelector('main')?.getBoundingClientRect()
  // Both are laid out at fractions of a pixel.
  return column !== undefined && toast.left > column.right - 1
}

/**
 * Places a toast above the bottom navigation, or beside the column if the window has room for it there.
 * Where it would cover what was pressed, or the keyboard would cover it, it is below the header; on
 * pages without navigation and header, at their top.
 */
export function useToastPlace() {
  const toast = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    const viewport = toast.current?.closest('ol')
    if (!toast.current || !viewport) return
    delete viewport.dataset.top
    const rect = toast.current.getBoundingClientRect()
    const pressed = lastPressed()?.getBoundingClientRect()
    const isInTheWay = !isBeside(rect) && (!hasNavigation() || covers(rect, pressed))
    if (isInTheWay || hasKeyboard()) viewport.dataset.top = hasNavigation() ? 'header' : 'page'
  }, [])
  return toast
}
