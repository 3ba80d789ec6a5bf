import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/** Focuses an element that is no control, such as a row or a panel, without scrolling to it. */
export function takeFocus(element: HTMLElement): void {
  // A panel of tabs stays a tab stop; everything else becomes none.
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
}

/** The element takes the focus when the control in it that had it is gone. Call it where the replacement renders. */
export function useKeptFocus() {
  const holder = useRef<HTMLElement>(null)
  // After every render, before anything else can see that the focus is nowhere.
  useLayoutEffect(() => {
    if (holder.current && document.activeElement === document.body) takeFocus(holder.current)
  })
  return {
    onFocus({ currentTarget }: FocusEvent<HTMLElement>) {
      holder.current = currentTarget
    },
    onBlur() {
      holder.current = null
    },
  }
}
