/** Event at the root of a prerendered page once the page is interactive. */
export const INTERACTIVE = 'interactive'

/** Presses on buttons of HTML that was rendered at build, oldest first. */
const presses: HTMLElement[] = []

function onClick({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('button') : null
  if (button) presses.push(button)
}

/** Records presses: HTML of the build can be pressed before the code that handles it is loaded. */
export function recordClicks(): void {
  document.addEventListener('click', onClick, true)
}

/** Ends the recording and returns what was pressed. */
export function endRecording(): HTMLElement[] {
  document.removeEventListener('click', onClick, true)
  return presses.splice(0)
}

/**
 * Repeats the recorded presses and records no more, because the page handles them from now on.
 * @param flush `flushSync` of React: each press is rendered before the next, so that a second press of Login meets
 * a busy button
 */
export function replayClicks(flush: (press: () => void) => void): void {
  for (const button of endRecording()) {
    flush(() => {
      button.focus()
      button.click()
    })
  }
}
