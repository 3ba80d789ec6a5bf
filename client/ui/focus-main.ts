export const MAIN_ID = 'main'

/** Moves the focus to the content of the page, as when the control that has it is about to go. */
export function focusMain(): void {
  document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
}
