import { endRecording } from './early-press.ts'

/** What names a button: its label, else its text; empty for an icon without a label. */
const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent

/**
 * Repeats presses on the shell of a screen once React has replaced it. Buttons are found by their names; a
 * press is dropped where the button has no name, and where the screen has no such button or several.
 */
export function repeatOnScreen(root: HTMLElement): void {
  new MutationObserver((_, observer) => {
    observer.disconnect()
    for (const name of endRecording().map(nameOf)) {
      const [button, another] = [...root.querySelectorAll('button')].filter(
        (one) => nameOf(one) === name,
      )
      if (!name || another) continue
      button?.focus()
      button?.click()
    }
  }).observe(root, { childList: true })
}
