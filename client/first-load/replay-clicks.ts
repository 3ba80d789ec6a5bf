/** Event at the root of a prerendered page once the page is interactive. */
export const INTERACTIVE = 'interactive'

const presses: HTMLElement[] = []

function onClick({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('button') : null
  if (button) presses.push(button)
}

/** Records presses: HTML of the build can be pressed before the code that handles it is loaded. */
export function recordClicks(): void {
  document.addEventListener('click', onClick, true)
}

export function endRecording(): HTMLElement[] {
  document.removeEventListener('click', onClick, true)
  return presses.splice(0)
}

/** @param flush `flushSync` of React: a press is rendered before the next, so a second one of Login meets it busy */
export function replayClicks(flush: (press: () => void) => void): void {
  for (const button of endRecording()) {
    flush(() => {
      button.focus()
      button.click()
    })
  }
}
