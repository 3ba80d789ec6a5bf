import { cleanup, render } from '@testing-library/react'
import { Toaster } from '#client/ui/toast.tsx'

const textOf = (item: Element) =>
  [...item.querySelectorAll(':scope > div > *')].map(({ textContent }) => textContent).join(': ')

/** Renders the toaster and records each toast that it shows as `title: description`, in order. */
export function recordToasts(): { texts: string[]; stop(): void } {
  cleanup()
  const texts: string[] = []
  const list = render(<Toaster />).container.ownerDocument.querySelector('ol')
  if (!list) throw new Error('The toaster has no list')
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node instanceof HTMLLIElement) texts.push(textOf(node))
    }
  })
  observer.observe(list, { childList: true })
  return { texts, stop: () => observer.disconnect() }
}
