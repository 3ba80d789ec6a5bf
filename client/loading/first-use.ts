/** Events that show that the visitor uses the page; `input` without any other is an autofill. */
const USES = ['pointermove', 'pointerdown', 'touchstart', 'focusin', 'keydown', 'input'] as const

/** Browsers report a pointer that rests over a new page as one that moved by nothing. */
const isResting = (event: Event) =>
  event.type === 'pointermove' &&
  !(event as PointerEvent).movementX &&
  !(event as PointerEvent).movementY

/** Resolves when the visitor first uses the page. */
export function firstUse(): Promise<void> {
  return new Promise((resolve) => {
    const use = (event?: Event) => {
      if (event && isResting(event)) return
      for (const name of USES) document.removeEventListener(name, use, true)
      resolve()
    }
    for (const name of USES) document.addEventListener(name, use, { capture: true, passive: true })
    // The browser may have restored the focus or a typed text before.
    if (document.activeElement instanceof HTMLInputElement) use()
  })
}
