import { cleanup, render } from '@testing-library/react'
import { Toaster } from '#client/ui/toasts/toaster.tsx'

const textOf = (item: Element) =>
  [...item.querySelectorAll(':scope > div > *')].map(({ textContent }) => textContent).join(': ')

/** Whether React warns about updates outside `act`. */
const react = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }

/**
 * Renders the toaster and records each toast that it shows as `title: description`, in order. Until
 * `stop` toasts may be shown outside `act`, as product code does.
 */
export function recordToasts(): { texts: string[]; stop(): void } {
  cleanup()
  const texts: string[] = []
  const { container } = render(<Toaster />)
  const list = container.ownerDocument.querySelector('ol')
  if (!list) throw new Error('The toaster has no list')
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node instanceof HTMLLIElement) texts.push(textOf(node))
    }
  })
  observer.observe(list, { childList: true })
  react.IS_REACT_ACT_ENVIRONMENT = false
  return {
    texts,
    stop() {
      observer.disconnect()
      react.IS_REACT_ACT_ENVIRONMENT = true
    },
  }
}
