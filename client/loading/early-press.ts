/** Presses on buttons of the prerendered HTML, oldest first. */
const presses: HTMLElement[] = []

function onClick({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>('button') : null
  if (button) presses.push(button)
}

/** Records presses: prerendered HTML can be pressed before the code that handles it is loaded. */
export function recordPresses(): void {
  document.addEventListener('click', onClick, true)
}

/** Repeats the recorded presses and records no more, because the page handles them from now on. */
export function repeatPresses(): void {
  document.removeEventListener('click', onClick, true)
  for (const button of presses.splice(0)) {
    button.focus()
    // Tabs of Radix react to the start of a press.
    button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
    button.click()
  }
}
