export const MAIN_ID = 'main'

/** For a control with the focus that is about to go. */
export function focusMain(): void {
  document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
}

const focusMainIfLost = () => {
  if (document.activeElement === document.body) focusMain()
}

/** A ref: if the element goes with the focus, the page takes it, unless something nearer does. */
export const handOverFocus = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement)) queueMicrotask(focusMainIfLost)
}
