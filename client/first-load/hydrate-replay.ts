import { endRecording } from './replay-clicks.ts'

const nameOf = (control: Element) => control.getAttribute('aria-label') ?? control.textContent

/** The control of the screen with this kind and name; none if it has no name or several have it. */
function onScreen(root: HTMLElement, control: HTMLElement): HTMLElement | undefined {
  const name = nameOf(control)
  const [same, another] = [...root.querySelectorAll<HTMLElement>(control.localName)].filter(
    (one) => name && nameOf(one) === name,
  )
  return another ? undefined : same
}

/** Follows the focus; `end` returns the control that lost it because it was removed. */
function followFocus() {
  let focused: Element | null = document.activeElement
  const follow = ({ target }: FocusEvent) => {
    focused = target instanceof Element ? target : null
  }
  // Chromium sends `focusout` for a control that is removed too.
  const forget = ({ target }: FocusEvent) => {
    setTimeout(() => {
      if (focused === target) focused = null
    })
  }
  document.addEventListener('focusin', follow)
  document.addEventListener('focusout', forget)
  return {
    end(): HTMLElement | undefined {
      document.removeEventListener('focusin', follow)
      document.removeEventListener('focusout', forget)
      return focused instanceof HTMLElement && !focused.isConnected ? focused : undefined
    },
  }
}

/** Repeats presses on the shell once React has replaced it, and keeps the focus, if exactly one control matches. */
export function replayOnScreen(root: HTMLElement): void {
  const focus = followFocus()
  new MutationObserver((_, observer) => {
    observer.disconnect()
    const removed = focus.end()
    if (removed) onScreen(root, removed)?.focus({ preventScroll: true })
    for (const pressed of endRecording()) {
      const button = onScreen(root, pressed)
      button?.focus()
      button?.click()
    }
  }).observe(root, { childList: true })
}
