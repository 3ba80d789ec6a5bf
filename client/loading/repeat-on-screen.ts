import { endRecording } from './early-press.ts'

/**
 * Repeats presses on the shell of a screen once React has replaced it. Buttons are found by their texts; a
 * press is dropped where the screen has no such button or several.
 */
export function repeatOnScreen(root: HTMLElement): void {
  new MutationObserver((_, observer) => {
    observer.disconnect()
    for (const { textContent } of endRecording()) {
      const [button, another] = [...root.querySelectorAll('button')].filter(
        (one) => one.textContent === textContent,
      )
      if (another) continue
      button?.focus()
      button?.click()
    }
  }).observe(root, { childList: true })
}
