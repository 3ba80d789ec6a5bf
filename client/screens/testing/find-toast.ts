import { screen } from '@testing-library/react'

/** Waits for a toast with this text; ignores the copy that Radix renders for screen readers. */
export function findToast(text: string | RegExp): Promise<HTMLElement> {
  return screen.findByText(text, { selector: 'ol li *' })
}
